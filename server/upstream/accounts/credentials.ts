import { createHash, createHmac } from "node:crypto";
import { sql } from "kysely";
import { toSeconds } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { decrypt, deriveKey, encrypt } from "../sealing";

export type AccountKeys = ReturnType<typeof createAccountKeys>;

/** Keys derived from one secret. Accounts cannot be found without it. */
export function createAccountKeys(secret: string) {
  const keyed = (purpose: string) => {
    const key = deriveKey(secret, purpose);
    return (...parts: string[]) => createHmac("sha256", key).update(parts.join("\n")).digest("base64url");
  };
  const sealing = deriveKey(secret, "phone seal");
  return {
    /** Deterministic keyed hash of a phone. */
    hashPhone: keyed("phone look-up"),
    /** Of the phone's hash and the code. */
    hashCode: keyed("login code"),
    /** Of a nonce, whose entropy it has, and an idempotency key: the same two give the same token. */
    makeToken: keyed("login token"),
    /** AES-256-GCM with a random IV. */
    sealPhone: (phone: string) => encrypt(sealing, phone).toString("base64url"),
    /** Throws for altered text or another secret. */
    openPhone: (sealed: string) => decrypt(sealing, Buffer.from(sealed, "base64url")),
  };
}

/** Throws if the accounts were made with another secret: a login would open a second, empty account for a known phone. */
export async function requireSecretOfAccounts(db: Db, { openPhone }: AccountKeys): Promise<void> {
  const first = await db.selectFrom("account").select("phone_sealed").orderBy("created_at").limit(1).executeTakeFirst();
  try {
    if (first) openPhone(first.phone_sealed);
  } catch (cause) {
    throw new Error("DATA_KEY is not the one that the accounts were made with; put that one back", { cause });
  }
}

/** For random values: tokens and idempotency keys. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** 138****1234, the only form of a phone in responses. */
export const maskPhone = (phone: string): string => phone.replace(/^(\d{3})\d{4}(\d{4})$/, "$1****$2");

const days = 30;

/** Stores the token for thirty days. Returns its expiry in Unix seconds. */
export async function storeToken(trx: Db, token: string, accountId: string): Promise<number> {
  const { expires_at } = await trx
    .insertInto("login_token")
    .values({
      hash: hashOf(token),
      account_id: accountId,
      expires_at: sql<Date>`now() + make_interval(days => ${days}::int)`,
    })
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return toSeconds(expires_at);
}

export const accountBanned = () => new AppError("account-banned", "the account is banned", { status: 403 });

/** The account and the expiry of a token; null for an expired or unknown one. Throws account-banned. */
export async function findToken(db: Db, token: string): Promise<{ accountId: string; expireAt: number } | null> {
  const row = await db
    .selectFrom("login_token")
    .innerJoin("account", "account.id", "login_token.account_id")
    .select(["account_id", "expires_at", "banned_at"])
    .where("hash", "=", hashOf(token))
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  if (row?.banned_at) throw accountBanned();
  return row ? { accountId: row.account_id, expireAt: toSeconds(row.expires_at) } : null;
}

/** The id of a valid token's account, for another statement. */
export const accountOfToken = (token: string) =>
  sql`(select account_id from login_token where hash = ${hashOf(token)} and expires_at > now())`;

export async function deleteToken(db: Db, token: string): Promise<void> {
  await db.deleteFrom("login_token").where("hash", "=", hashOf(token)).execute();
}

/** Ends all logins of an account; returns their number. */
export async function endLogins(trx: Db, accountId: string): Promise<number> {
  const ended = await trx.deleteFrom("login_token").where("account_id", "=", accountId).executeTakeFirst();
  return Number(ended.numDeletedRows);
}

/** Bans an account, or ends its ban and its logins of before. Throws bad-request where nothing would change. */
export async function changeBan(trx: Db, accountId: string, isBanned: boolean): Promise<void> {
  const account = trx.updateTable("account").where("id", "=", accountId);
  const changed = await account
    .set({ banned_at: isBanned ? sql<Date>`now()` : null })
    .where("banned_at", isBanned ? "is" : "is not", null)
    .executeTakeFirst();
  if (changed.numUpdatedRows !== 1n)
    throw new AppError("bad-request", `the account is ${isBanned ? "" : "not "}banned`);
  if (!isBanned) await endLogins(trx, accountId);
}

export async function sweepTokens(db: Db): Promise<void> {
  await db.deleteFrom("login_token").where("expires_at", "<", sql<Date>`now()`).execute();
}
