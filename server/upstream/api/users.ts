import { Readable } from "node:stream";
import type { CallData } from "~server/contract/calls/table";
import { accountDeleteRequest } from "~server/contract/calls/users";
import { toWebStream } from "~server/web-stream";
import { type Auth, findVisitor, idempotencyKeyOf, tokenOf } from "./auth";
import { createCallRoutes } from "./calls";
import { answer } from "./envelope";
import { parse, readJson } from "./parse";
import type { ApiParts } from "./parts";

/** Login, the account, its export and its deletion. */
export const createUserRoutes = (
  { accounts, users, exportAccount, readStorage, markAgreements, messages }: ApiParts,
  auth: Auth,
) =>
  createCallRoutes(auth, {
    captcha: ({ phone }, { address, idempotencyKey }): Promise<CallData<"captcha">> =>
      accounts.sendCode({ phone, address, idempotencyKey }),
    login({ phone, verifyCode, referral = "" }, { idempotencyKey, c }): Promise<CallData<"login">> {
      const caller = { visitorId: findVisitor(c), idempotencyKey, replacedToken: tokenOf(c) };
      return accounts.logIn({ phone, code: verifyCode, referral, ...caller });
    },
    async logout(_, { c }) {
      await accounts.logOut(tokenOf(c));
      return null;
    },
    userInfo: async (_, { accountId, c }) => (await auth.findInfo(c)) ?? users.getInfo(accountId),
    async userExport(_, { accountId, c }) {
      const archive = await exportAccount(accountId);
      c.header("content-type", "application/zip");
      c.header("content-disposition", 'attachment; filename="export.zip"');
      c.header("x-content-type-options", "nosniff");
      return c.newResponse(toWebStream(Readable.from(archive)));
    },
    storage: (_, { accountId }) => readStorage(accountId),
    audibleMark: (_, { accountId }) => markAgreements.read(accountId),
    audibleMarkChange: (change, { accountId, address }) => markAgreements.change(accountId, change, address),
    messages: (_, { accountId }) => messages.read(accountId),
    messagesChange: ({ isOn }, { accountId }) => messages.change(accountId, isOn),
    userDeleteCode: (_, { accountId, address, idempotencyKey }): Promise<CallData<"captcha">> =>
      accounts.sendDeletionCode(accountId, { address, idempotencyKey }),
  }).post("/users/delete", async (c) => {
    // A repeated call has an invalid token; without a token there is no account.
    if (tokenOf(c) === "") await auth.requireAccount(c);
    const { verifyCode } = parse(accountDeleteRequest, await readJson(c));
    return answer(c, await accounts.remove(tokenOf(c), { code: verifyCode, idempotencyKey: idempotencyKeyOf(c) }));
  });

/** The projects of an account. */
export const createProjectRoutes = ({ projects }: ApiParts, auth: Auth) =>
  createCallRoutes(auth, {
    projectList: (query, { accountId }) => projects.list(accountId, query),
    projectGet: ({ projectId }, { accountId }) => projects.get(accountId, projectId),
    projectPut: (request, { accountId, idempotencyKey }) => projects.put(accountId, request, idempotencyKey),
    projectRename: ({ projectId, title }, { accountId }) => projects.rename(accountId, projectId, title),
    projectDuplicate: (request, { accountId }) => projects.duplicate(accountId, request),
    projectDelete: ({ projectId }, { accountId }) => projects.remove(accountId, projectId),
    projectRestore: ({ projectId }, { accountId }) => projects.restore(accountId, projectId),
  });

/** An account's keys and the address for its events. */
export const createDeveloperRoutes = ({ apiKeys, webhooks }: ApiParts, auth: Auth) =>
  createCallRoutes(auth, {
    keyList: async (_, { accountId }) => ({ list: await apiKeys.listOf(accountId) }),
    keyCreate: (request, { accountId, idempotencyKey }) => apiKeys.create(accountId, request, idempotencyKey),
    keyRevoke: ({ keyId }, { accountId }) => apiKeys.revoke(accountId, keyId),
    webhook: (_, { accountId }) => webhooks.read(accountId),
    webhookPut: ({ url }, { accountId, idempotencyKey }) => webhooks.put(accountId, url, idempotencyKey),
    webhookRemove: (_, { accountId }) => webhooks.remove(accountId),
    webhookTest: (_, { accountId }) => webhooks.test(accountId),
  });
