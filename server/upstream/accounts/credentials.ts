import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { toSeconds } from "../calendar";
import type { Db } from "../db/database";

export interface AccountKeys {
  /** Deterministic keyed hash. */
  hashPhone(phone: string): string;
  /** AES-256-GCM with a random IV. */
  sealPhone(phone: string): string;
  /** Throws for altered text or another secret. */
  openPhone(sealed: string): string;
  hashCode(phoneHash: string, code: string): string;
  /** Its entropy is the nonce's; the same idempotency key gives the same token. */
  makeToken(nonce: string, key: string): string;
}

const ivBytes = 12;
const tagBytes = 16;

/** Keys derived from one secret. Accounts cannot be found without it. */
export function createAccountKeys(secret: string): AccountKeys {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  const keyed = (purpose: string) => {
    const key = derive(purpose);
    return (...parts: string[]) => createHmac("sha256", key).update(parts.join("\n")).digest("base64url");
  };
  const sealing = derive("phone seal");
  return {
    hashPhone: keyed("phone look-up"),
    hashCode: keyed("login code"),
    makeToken: keyed("login token"),
    sealPhone(phone) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", sealing, iv);
      const text = Buffer.concat([cipher.update(phone, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
    },
    openPhone(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      const options = { authTagLength: tagBytes };
      const decipher = createDecipheriv("aes-256-gcm", sealing, bytes.subarray(0, ivBytes), options);
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
    },
  };
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

/** The account and the expiry of a token; null for an expired or unknown one. */
export async function findToken(db: Db, token: string): Promise<{ accountId: string; expireAt: number } | null> {
  const row = await db
    .selectFrom("login_token")
    .select(["account_id", "expires_at"])
    .where("hash", "=", hashOf(token))
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row ? { accountId: row.account_id, expireAt: toSeconds(row.expires_at) } : null;
}

export async function deleteToken(db: Db, token: string): Promise<void> {
  await db.deleteFrom("login_token").where("hash", "=", hashOf(token)).execute();
}

export async function sweepTokens(db: Db): Promise<void> {
  await db.deleteFrom("login_token").where("expires_at", "<", sql<Date>`now()`).execute();
}
