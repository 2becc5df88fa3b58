import { Readable } from "node:stream";
import type { CallData } from "~server/contract/calls/table";
import { accountDeleteRequest } from "~server/contract/calls/users";
import { toWebStream } from "~server/web-stream";
import type { Accounts } from "../accounts/accounts";
import type { ExportAccount } from "../accounts/export";
import type { MarkAgreements } from "../accounts/mark-agreements";
import type { Messages } from "../messages/messages";
import { type Auth, type FindUser, findVisitor, idempotencyKeyOf, tokenOf } from "./auth";
import { createCallRoutes } from "./calls";
import { answer } from "./envelope";
import { parse, readJson } from "./parse";

export interface UserRouteParts {
  accounts: Accounts;
  users: {
    findByToken: FindUser;
    getInfo(accountId: string): Promise<CallData<"userInfo">>;
  };
  exportAccount: ExportAccount;
  markAgreements: Pick<MarkAgreements, "read" | "change">;
  messages: Pick<Messages, "read" | "change" | "areSent">;
}

/** Login, the account, its export and its deletion. */
export const createUserRoutes = (
  { accounts, users, exportAccount, markAgreements, messages }: UserRouteParts,
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
