import { createHmac, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { apiKeysMax } from "~server/contract/limits";
import { toLocalTime } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { idOfOwner, isAccount, type Owner } from "../owner";
import { deriveKey } from "../sealing";
import { toUuids } from "../sql-fragments";
import { accountBanned, hashOf } from "./credentials";

type ApiKey = CallData<"keyList">["list"][number];

export type ApiKeys = ReturnType<typeof createApiKeys>;

const isOfMonth = sql<boolean>`api_key_use.created_at >=
  date_trunc('month', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`;

const selected = (db: Db) =>
  db
    .selectFrom("api_key")
    .select(["id", "name", "hint", "month_limit", "created_at", "used_at"])
    .select((eb) =>
      eb
        .selectFrom("api_key_use")
        .select(sql<number>`coalesce(sum(characters), 0)::int`.as("used"))
        .whereRef("key_id", "=", "api_key.id")
        .where(isOfMonth)
        .as("month_used"),
    );

type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof selected>["executeTakeFirstOrThrow"]>>;

const toApiKey = ({ id, name, hint, month_limit, month_used, created_at, used_at }: ApiKeyRow): ApiKey => ({
  ...{ keyId: id, name, hint, monthLimit: month_limit, monthUsed: month_used ?? 0 },
  ...{ usedAt: used_at ? toLocalTime(used_at) : "", createdAt: toLocalTime(created_at) },
});

/** The secret keys with which programs act for an account. */
export function createApiKeys({ db, dataKey }: { db: Db; dataKey: string }) {
  const key = deriveKey(dataKey, "api key");
  const secretOf = (accountId: string, idempotencyKey: string) =>
    `sk-${createHmac("sha256", key).update(`${accountId}\n${idempotencyKey}`).digest("base64url")}`;
  return {
    /** Newest first. */
    async listOf(accountId: string) {
      const rows = selected(db).where("account_id", "=", accountId).orderBy("created_at", "desc").orderBy("id");
      return (await rows.execute()).map(toApiKey);
    },
    /** The same idempotency key gives the same secret, which is not stored. Throws bad-request beyond `apiKeysMax`. */
    async create(
      accountId: string,
      { name, monthLimit }: CallRequest<"keyCreate">,
      idempotencyKey: string = randomUUID(),
    ): Promise<CallData<"keyCreate">> {
      const secret = secretOf(accountId, idempotencyKey);
      await db.transaction().execute(async (trx) => {
        await trx.selectFrom("account").select("id").where("id", "=", accountId).forUpdate().execute();
        const known = await trx.selectFrom("api_key").select("hash").where("account_id", "=", accountId).execute();
        if (known.some(({ hash }) => hash === hashOf(secret))) return;
        if (known.length >= apiKeysMax) throw new AppError("bad-request", "too many keys", { status: 400 });
        const values = { account_id: accountId, name, hash: hashOf(secret), hint: secret.slice(-4) };
        const month_limit = monthLimit ?? null;
        await trx
          .insertInto("api_key")
          .values({ ...values, month_limit })
          .execute();
      });
      const row = await selected(db).where("hash", "=", hashOf(secret)).executeTakeFirst();
      if (!row) throw new AppError("not-found", "revoked meanwhile", { status: 404 });
      return { ...toApiKey(row), secret };
    },
    /** Revoking what is not there is success. */
    async revoke(accountId: string, keyId: string) {
      const ids = toUuids([keyId]);
      if (ids.length === 0) return;
      await db.deleteFrom("api_key").where("id", "in", ids).where("account_id", "=", accountId).execute();
    },
    /** Null for an unknown or revoked secret; throws account-banned. `isUse`: counts as its latest use, to the minute. */
    async find(secret: string, isUse: boolean) {
      const row = await db
        .selectFrom("api_key")
        .innerJoin("account", "account.id", "api_key.account_id")
        .select(["api_key.id", "account_id", "banned_at"])
        .where("hash", "=", hashOf(secret))
        .executeTakeFirst();
      if (!row) return null;
      if (row.banned_at) throw accountBanned();
      if (isUse)
        await sql`update api_key set used_at = now() where id = ${row.id}
          and (used_at is null or used_at < now() - interval '1 minute')`.execute(db);
      return { id: row.id, accountId: row.account_id };
    },
    charge,
    /** The task failed. */
    async release(trx: Db, taskId: string) {
      await trx.deleteFrom("api_key_use").where("task_id", "=", taskId).execute();
    },
    async forget(trx: Db, owner: Owner) {
      if (isAccount(owner)) await trx.deleteFrom("api_key").where("account_id", "=", idOfOwner(owner)).execute();
    },
  };
}

interface KeyUse {
  keyId: string;
  taskId: string;
  characters: number;
}

/** Counts a task's characters in its transaction. Throws entitlement `quota` beyond the key's limit of the month. */
async function charge(trx: Db, { keyId, taskId, characters }: KeyUse): Promise<void> {
  // Two tasks of one key at once: the later sees what the earlier took.
  const locked = trx.selectFrom("api_key").select("month_limit").where("id", "=", keyId).forUpdate();
  const row = await locked.executeTakeFirst();
  if (!row) throw new AppError("login-expired", "the key was revoked");
  const uses = trx.selectFrom("api_key_use").where("key_id", "=", keyId).where(isOfMonth);
  const sum = sql<number>`coalesce(sum(characters), 0)::int`.as("used");
  const { used } = await uses.select(sum).executeTakeFirstOrThrow();
  if (row.month_limit !== null && used + characters > row.month_limit) {
    const data = { reason: "quota", scope: "key", need: characters, left: Math.max(0, row.month_limit - used) };
    throw new AppError("entitlement", "the key's limit of this month is reached", { data });
  }
  await trx.insertInto("api_key_use").values({ key_id: keyId, task_id: taskId, characters }).execute();
}
