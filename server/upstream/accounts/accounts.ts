import { randomUUID } from "node:crypto";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import type { Owner } from "../owner";
import { type CodeRequest, redeemCode, sendCode, sweepCodes } from "./codes";
import { eraseKind, findReceipt, removeAccount } from "./deletion";
import type { AccountParts } from "./parts";
import { maskPhone } from "./phone";
import { dropToken, findToken, keepToken, sweepTokens } from "./tokens";

interface Login {
  phone: string;
  code: string;
  /** Whose recordings and trials the account takes over. */
  visitorId: string | undefined;
  idempotencyKey: string | undefined;
  /** The token of the login that this one replaces: it ends. "" where there is none. */
  replacedToken: string;
}

export interface Accounts {
  sendCode(request: CodeRequest): Promise<CallData<"captcha">>;
  /** Makes the account at the first login. Throws code-wrong, whatever is wrong with the code. */
  logIn(login: Login): Promise<{ token: string; expireAt: number }>;
  logOut(token: string): Promise<void>;
  /** The account a token is good for; null for a dead or unknown one. */
  find(token: string): Promise<string | null>;
  /** 138****1234 */
  maskedPhoneOf(accountId: string): Promise<string>;
  /** Sends a code to the account's own phone, within the limits of every code. */
  sendDeletionCode(accountId: string, caller: Omit<CodeRequest, "phone">): Promise<CallData<"captcha">>;
  /**
   * Deletes the account and all in it; the same call again gets the same receipt. Throws code-wrong unless `code` is good,
   * and login-expired for a dead token.
   */
  remove(token: string, request: { code: string; idempotencyKey: string | undefined }): Promise<CallData<"userDelete">>;
  /** Erases again a while after a deletion, what was being written meanwhile. */
  handlers: Record<string, JobHandler>;
  sweep(): Promise<void>;
}

/** People by their phone: codes, logins, and the end of an account. */
export function createAccounts(parts: AccountParts): Accounts {
  const { db, keys, belongings } = parts;
  const phoneOf = async (accountId: string) => {
    const account = db.selectFrom("account").select("phone_sealed").where("id", "=", accountId);
    const row = await account.executeTakeFirst();
    if (!row) throw new AppError("login-expired", "the account is gone");
    return keys.openPhone(row.phone_sealed);
  };
  return {
    sendCode: (request) => sendCode(parts, request),
    async logIn(login) {
      const done = await db.transaction().execute((trx) => logIn(trx, parts, login));
      if (!done) throw new AppError("code-wrong", "wrong, dead or used code");
      return done;
    },
    logOut: (token) => dropToken(db, token),
    find: async (token) => (await findToken(db, token))?.accountId ?? null,
    maskedPhoneOf: async (accountId) => maskPhone(await phoneOf(accountId)),
    sendDeletionCode: async (accountId, caller) => sendCode(parts, { phone: await phoneOf(accountId), ...caller }),
    async remove(token, { code, idempotencyKey }) {
      // Without a key no call is another one's repeat.
      const key = idempotencyKey ?? randomUUID();
      const accountId = (await findToken(db, token))?.accountId;
      // A dead token may be of this very call: its answer was lost, or it comes twice at a time.
      const receipt = accountId
        ? await removeAccount(parts, { accountId, token, key, code })
        : await findReceipt(db, token, key);
      if (!receipt) throw new AppError("login-expired", "no account has this token");
      return receipt;
    },
    handlers: {
      [eraseKind]: {
        async run(payload) {
          const { owner } = payload as { owner: Owner };
          await db.transaction().execute((trx) => belongings.forget(trx, owner));
          await belongings.erase(owner);
          return undefined;
        },
      },
    },
    async sweep() {
      await sweepCodes(db);
      await sweepTokens(db);
    },
  };
}

/** Null for a code that is no good; its wrong try is to be committed. */
async function logIn(trx: Db, { keys, belongings, trials }: AccountParts, login: Login) {
  const { phone, code, visitorId, idempotencyKey, replacedToken } = login;
  const phoneHash = keys.hashPhone(phone);
  const redeemed = await redeemCode(trx, keys, { phoneHash, code, idempotencyKey });
  if (!redeemed) return null;
  const token = keys.makeToken(redeemed.nonce, idempotencyKey ?? "");
  if (redeemed.isRepeat) {
    const first = await findToken(trx, token);
    return first && { token, expireAt: first.expireAt };
  }
  const { id } = await trx
    .insertInto("account")
    .values({ phone_hash: phoneHash, phone_sealed: keys.sealPhone(phone) })
    .onConflict((conflict) => conflict.column("phone_hash").doUpdateSet({ phone_hash: phoneHash }))
    .returning("id")
    .executeTakeFirstOrThrow();
  await trials.takeFromPhone(trx, phoneHash, `account:${id}`);
  const expireAt = await keepToken(trx, token, id);
  await dropToken(trx, replacedToken);
  if (visitorId) await belongings.handOver(trx, `visitor:${visitorId}`, `account:${id}`);
  return { token, expireAt };
}
