import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import { toLocalTime } from "../calendar";
import type { Db } from "../db/database";
import type { AccountTables } from "../db/tables/accounts";
import { AppError } from "../errors";
import type { Queue } from "../jobs/queue";
import type { Owner } from "../owner";
import { type CodeParts, type CodeRequest, redeemCode, sendCode, sweepCodes } from "./codes";
import { accountBanned, deleteToken, findToken, hashOf, storeToken, sweepTokens } from "./credentials";
import type { Ownership } from "./ownership";

interface Login {
  phone: string;
  code: string;
  /** The visitor whose recordings and trials the account takes over. */
  visitorId: string | undefined;
  idempotencyKey: string | undefined;
  /** The code of the referring account; "" without one. Counts for a new account. */
  referral: string;
  /** The token of the login that this one replaces and ends; "" without one. */
  replacedToken: string;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** Accounts by phone: codes, logins and deletion. */
export function createAccounts(parts: AccountParts) {
  const { db, keys, ownership } = parts;
  const phoneOf = async (accountId: string) => {
    const account = db.selectFrom("account").select("phone_sealed").where("id", "=", accountId);
    const row = await account.executeTakeFirst();
    if (!row) throw new AppError("login-expired", "the account is gone");
    return keys.openPhone(row.phone_sealed);
  };
  return {
    sendCode: (request: CodeRequest): Promise<CallData<"captcha">> => sendCode(parts, request),
    /** Creates the account at the first login. Throws code-wrong for every invalid code, and account-banned. */
    async logIn(login: Login): Promise<{ token: string; expireAt: number }> {
      const done = await db.transaction().execute((trx) => logIn(trx, parts, login));
      if (!done) throw new AppError("code-wrong", "wrong, dead or used code");
      return done;
    },
    logOut: (token: string): Promise<void> => deleteToken(db, token),
    /** The account of a valid token; null for an expired or unknown one. Throws account-banned. */
    find: async (token: string): Promise<string | null> => (await findToken(db, token))?.accountId ?? null,
    /** Sends a code to the account's phone, within the limits of all codes. */
    sendDeletionCode: async (accountId: string, caller: Omit<CodeRequest, "phone">): Promise<CallData<"captcha">> =>
      sendCode(parts, { phone: await phoneOf(accountId), ...caller }),
    /**
     * Deletes the account and its data; a repeated call gets the same receipt. Throws code-wrong for an invalid `code`, and
     * login-expired for an invalid token.
     */
    async remove(
      token: string,
      { code, idempotencyKey }: { code: string; idempotencyKey: string | undefined },
    ): Promise<CallData<"userDelete">> {
      // Without a key no call is a repetition.
      const key = idempotencyKey ?? randomUUID();
      const accountId = (await findToken(db, token))?.accountId;
      // An expired token may belong to a repetition of this call whose first response was lost.
      const receipt = accountId
        ? await removeAccount(parts, { accountId, token, key, code })
        : await findReceipt(db, token, key);
      if (!receipt) throw new AppError("login-expired", "no account has this token");
      return receipt;
    },
    /** Deletes what was written during an account's deletion. */
    handlers: {
      [eraseKind]: {
        async run(payload: unknown) {
          const { owner } = payload as { owner: Owner };
          await db.transaction().execute((trx) => ownership.forget(trx, owner));
          await ownership.erase(owner);
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

/** Null for an invalid code. The caller must commit, so that the wrong attempt counts. */
async function logIn(trx: Db, { keys, ownership, trials, referrals }: AccountParts, login: Login) {
  const { phone, code, visitorId, idempotencyKey, replacedToken, referral } = login;
  const phoneHash = keys.hashPhone(phone);
  const redeemed = await redeemCode(trx, keys, { phoneHash, code, idempotencyKey });
  if (!redeemed) return null;
  const token = keys.makeToken(redeemed.nonce, idempotencyKey ?? "");
  if (redeemed.isRepeat) {
    const first = await findToken(trx, token);
    return first && { token, expireAt: first.expireAt };
  }
  const { id, banned_at, isNew } = await trx
    .insertInto("account")
    .values({ phone_hash: phoneHash, phone_sealed: keys.sealPhone(phone) })
    .onConflict((conflict) => conflict.column("phone_hash").doUpdateSet({ phone_hash: phoneHash }))
    .returning(["id", "banned_at", sql<boolean>`xmax = 0`.as("isNew")])
    .executeTakeFirstOrThrow();
  if (banned_at) throw accountBanned();
  await referrals.giveCode(trx, id);
  if (isNew && referral) await referrals.bind(trx, { accountId: id, phoneHash, code: referral });
  await trials.takeFromPhone(trx, phoneHash, `account:${id}`);
  const expireAt = await storeToken(trx, token, id);
  await deleteToken(trx, replacedToken);
  if (visitorId) await ownership.handOver(trx, `visitor:${visitorId}`, `account:${id}`);
  return { token, expireAt };
}

/** Dependencies of the accounts. */
interface AccountParts extends CodeParts {
  referrals: {
    giveCode(trx: Db, accountId: string): Promise<void>;
    bind(trx: Db, newcomer: { accountId: string; phoneHash: string; code: string }): Promise<void>;
  };
  queue: Queue;
  ownership: Ownership;
  /** Keeps the number of used trials by the phone's keyed hash, in the transaction of the deletion or the login. */
  trials: {
    keepForPhone(trx: Db, owner: Owner, phoneHash: string): Promise<void>;
    takeFromPhone(trx: Db, phoneHash: string, owner: Owner): Promise<void>;
  };
}

type AccountReceipt = CallData<"userDelete">;

const eraseKind = "account-erase";
/** Longer than any write for the account. */
const eraseAgainSeconds = 120;

const askedBy = (token: string, key: string) => hashOf(`${hashOf(token)}\n${key}`);

/** The receipt of an earlier identical call, or null. */
async function findReceipt(db: Db, token: string, key: string): Promise<AccountReceipt | null> {
  const receipts = db.selectFrom("account_deletion").selectAll().where("asked_by", "=", askedBy(token, key));
  const row = await receipts.executeTakeFirst();
  return row ? toReceipt(row) : null;
}

/**
 * Deletes the account in one transaction and then its files; the job deletes files that a failure left. The ledger stays,
 * without a link to a person, as do the phone's used trials and code limits. Null if it was deleted meanwhile. Throws
 * code-wrong unless the code is the phone's newest.
 */
async function removeAccount(
  { db, keys, queue, ownership, trials }: AccountParts,
  { accountId, token, key, code }: { accountId: string; token: string; key: string; code: string },
): Promise<AccountReceipt | null> {
  const owner = `account:${accountId}` as const;
  const receipt = await db.transaction().execute(async (trx) => {
    const account = trx.selectFrom("account").select("phone_hash").where("id", "=", accountId).forUpdate();
    const found = await account.executeTakeFirst();
    // The second of two concurrent calls has waited here.
    if (!found) return findReceipt(trx, token, key);
    const redeemed = await redeemCode(trx, keys, { phoneHash: found.phone_hash, code, idempotencyKey: undefined });
    // Returned, not thrown, so that the wrong attempt is committed.
    if (!redeemed) return "code-wrong";
    await trials.keepForPhone(trx, owner, found.phone_hash);
    const removed = await ownership.forget(trx, owner);
    await trx.deleteFrom("account").where("id", "=", accountId).execute();
    await queue.enqueue(trx, { kind: eraseKind, payload: { owner }, delaySeconds: eraseAgainSeconds });
    const row = await trx
      .insertInto("account_deletion")
      .values({ asked_by: askedBy(token, key), removed: JSON.stringify(removed) })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toReceipt(row);
  });
  if (receipt === "code-wrong") throw new AppError("code-wrong", "wrong, dead or used code");
  await ownership.erase(owner);
  return receipt;
}

function toReceipt({ id, deleted_at, removed }: Selectable<AccountTables["account_deletion"]>): AccountReceipt {
  return { receiptId: id, deletedAt: toLocalTime(deleted_at), removed: removed as AccountReceipt["removed"] };
}
