import { Readable } from "node:stream";
import { Hono } from "hono";
import type { CallData } from "~server/contract/calls/table";
import {
  accountDeleteRequest,
  audibleMarkChangeRequest,
  captchaRequest,
  loginRequest,
} from "~server/contract/calls/users";
import { toWebStream } from "~server/web-stream";
import type { Accounts } from "../accounts/accounts";
import type { ExportAccount } from "../accounts/export";
import type { MarkAgreements } from "../accounts/mark-agreements";
import { type Auth, addressOf, findVisitor, idempotencyKeyOf, tokenOf } from "./auth";
import { answer } from "./envelope";
import { parse, readJson } from "./parse";

interface UserRouteParts {
  accounts: Accounts;
  userInfo(accountId: string): Promise<CallData<"userInfo">>;
  exportAccount: ExportAccount;
  markAgreements: Pick<MarkAgreements, "read" | "change">;
  auth: Auth;
}

/** Login, the account, its export and its deletion. */
export function createUserRoutes({ accounts, userInfo, exportAccount, markAgreements, auth }: UserRouteParts) {
  return new Hono()
    .post("/code/captcha", async (c) => {
      const { phone } = parse(captchaRequest, await readJson(c));
      const sent = await accounts.sendCode({ phone, address: addressOf(c), idempotencyKey: idempotencyKeyOf(c) });
      return answer(c, sent satisfies CallData<"captcha">);
    })
    .post("/users/login", async (c) => {
      const { phone, verifyCode } = parse(loginRequest, await readJson(c));
      const caller = { visitorId: findVisitor(c), idempotencyKey: idempotencyKeyOf(c), replacedToken: tokenOf(c) };
      const login = await accounts.logIn({ phone, code: verifyCode, ...caller });
      return answer(c, login satisfies CallData<"login">);
    })
    .get("/users/logout", async (c) => {
      await auth.requireAccount(c);
      await accounts.logOut(tokenOf(c));
      return answer(c, null);
    })
    .get("/users/info", async (c) => answer(c, await userInfo(await auth.requireAccount(c))))
    .get("/users/export", async (c) => {
      const archive = await exportAccount(await auth.requireAccount(c));
      c.header("content-type", "application/zip");
      c.header("content-disposition", 'attachment; filename="export.zip"');
      c.header("x-content-type-options", "nosniff");
      return c.newResponse(toWebStream(Readable.from(archive)));
    })
    .get("/users/audible-mark", async (c) => answer(c, await markAgreements.read(await auth.requireAccount(c))))
    .post("/users/audible-mark", async (c) => {
      const accountId = await auth.requireAccount(c);
      const change = parse(audibleMarkChangeRequest, await readJson(c));
      return answer(c, await markAgreements.change(accountId, change, addressOf(c)));
    })
    .post("/users/delete/code", async (c) => {
      const accountId = await auth.requireAccount(c);
      await readJson(c);
      const caller = { address: addressOf(c), idempotencyKey: idempotencyKeyOf(c) };
      return answer(c, (await accounts.sendDeletionCode(accountId, caller)) satisfies CallData<"captcha">);
    })
    .post("/users/delete", async (c) => {
      // A repeated call has an invalid token; without a token there is no account.
      if (tokenOf(c) === "") await auth.requireAccount(c);
      const { verifyCode } = parse(accountDeleteRequest, await readJson(c));
      return answer(c, await accounts.remove(tokenOf(c), { code: verifyCode, idempotencyKey: idempotencyKeyOf(c) }));
    });
}
