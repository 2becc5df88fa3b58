import type { ApiKeys } from "../accounts/api-keys";
import type { Webhooks } from "../webhooks/webhooks";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";

export interface DeveloperRouteParts {
  apiKeys: ApiKeys;
  webhooks: Pick<Webhooks, "read" | "put" | "remove" | "test">;
}

/** An account's keys and the address for its events. */
export const createDeveloperRoutes = ({ apiKeys, webhooks }: DeveloperRouteParts, auth: Auth) =>
  createCallRoutes(auth, {
    keyList: async (_, { accountId }) => ({ list: await apiKeys.listOf(accountId) }),
    keyCreate: (request, { accountId, idempotencyKey }) => apiKeys.create(accountId, request, idempotencyKey),
    keyRevoke: ({ keyId }, { accountId }) => apiKeys.revoke(accountId, keyId),
    webhook: (_, { accountId }) => webhooks.read(accountId),
    webhookPut: ({ url }, { accountId, idempotencyKey }) => webhooks.put(accountId, url, idempotencyKey),
    webhookRemove: (_, { accountId }) => webhooks.remove(accountId),
    webhookTest: (_, { accountId }) => webhooks.test(accountId),
  });
