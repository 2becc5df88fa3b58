import { sql } from "kysely";
import type { Db } from "../db/database";
import { hashOf } from "./keys";

const days = 30;

/** Makes the token good for thirty days. Answers when it ends, in Unix seconds. */
export async function keepToken(trx: Db, token: string, accountId: string): Promise<number> {
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

/** Whose token it is and when it ends; null for a dead or unknown one. */
export async function findToken(db: Db, token: string): Promise<{ accountId: string; expireAt: number } | null> {
  const row = await db
    .selectFrom("login_token")
    .select(["account_id", "expires_at"])
    .where("hash", "=", hashOf(token))
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row ? { accountId: row.account_id, expireAt: toSeconds(row.expires_at) } : null;
}

export async function dropToken(db: Db, token: string): Promise<void> {
  await db.deleteFrom("login_token").where("hash", "=", hashOf(token)).execute();
}

export async function sweepTokens(db: Db): Promise<void> {
  await db.deleteFrom("login_token").where("expires_at", "<", sql<Date>`now()`).execute();
}

const toSeconds = (at: Date) => Math.floor(at.getTime() / 1000);
