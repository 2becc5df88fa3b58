import type { ApiKeys } from "../accounts/api-keys";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";

export interface KeyRouteParts {
  apiKeys: ApiKeys;
}

/** The keys of an account. */
export const createKeyRoutes = ({ apiKeys }: KeyRouteParts, auth: Auth) =>
  createCallRoutes(auth, {
    keyList: async (_, { accountId }) => ({ list: await apiKeys.listOf(accountId) }),
    keyCreate: (request, { accountId, idempotencyKey }) => apiKeys.create(accountId, request, idempotencyKey),
    keyRevoke: ({ keyId }, { accountId }) => apiKeys.revoke(accountId, keyId),
  });
