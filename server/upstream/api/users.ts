import { type Context, Hono } from "hono";
import type { CallData } from "~server/contract/calls/table";
import { accountDeleteRequest, captchaRequest, loginRequest } from "~server/contract/calls/users";
import { trialMax } from "~server/contract/limits";
import type { Accounts } from "../accounts/accounts";
import type { Billing } from "../billing/billing";
import type { Trials } from "../generations/trials/trials";
import { type Auth, tokenOf } from "./auth";
import { addressOf, findVisitor, idempotencyKeyOf } from "./caller";
import { answer } from "./envelope";
import { parse, readJson } from "./parse";

interface UserRouteParts {
  accounts: Accounts;
  billing: Pick<Billing, "membership" | "quota">;
  trials: Pick<Trials, "used">;
  auth: Auth;
}

/** Logging in and out, and what an account is told of itself. */
export function createUserRoutes({ accounts, billing, trials, auth }: UserRouteParts) {
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
    .get("/users/info", async (c) => answer(c, await infoOf(c)))
    .post("/users/delete/code", async (c) => {
      const accountId = await auth.requireAccount(c);
      await readJson(c);
      const caller = { address: addressOf(c), idempotencyKey: idempotencyKeyOf(c) };
      return answer(c, (await accounts.sendDeletionCode(accountId, caller)) satisfies CallData<"captcha">);
    })
    .post("/users/delete", async (c) => {
      // A dead token may be of a repeated call; without one there is no account to look for.
      if (tokenOf(c) === "") await auth.requireAccount(c);
      const { verifyCode } = parse(accountDeleteRequest, await readJson(c));
      return answer(c, await accounts.remove(tokenOf(c), { code: verifyCode, idempotencyKey: idempotencyKeyOf(c) }));
    });

  async function infoOf(c: Context): Promise<CallData<"userInfo">> {
    const id = await auth.requireAccount(c);
    const [phone, { vipExpire, svipExpire, isMonthly }, quota, tryNum] = await Promise.all([
      accounts.maskedPhoneOf(id),
      billing.membership(id),
      billing.quota(id),
      trials.used(`account:${id}`),
    ]);
    const { vip, svip, pack, resetAt } = quota;
    return { vipExpire, svipExpire, isMonthly, phone, tryNum, tryMax: trialMax, quota: { vip, svip, pack }, resetAt };
  }
}
