import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { codeResendSeconds, codeTtlSeconds } from "~server/contract/limits";
import type { Db } from "../db/database";
import type { RateLimit } from "../db/rate-limit";
import { AppError } from "../errors";
import type { SmsSender } from "../sms/sender";
import { type AccountKeys, hashOf } from "./keys";

export interface CodeRequest {
  phone: string;
  /** Network address of the caller. */
  address: string;
  idempotencyKey: string | undefined;
}

interface CodeSent {
  /** Seconds. */
  ttl: number;
  resend: number;
  demoCode?: string;
}

export interface CodeParts {
  db: Db;
  keys: AccountKeys;
  allow: RateLimit["allow"];
  /** Absent where none is set up: nobody new can log in then. */
  sender: SmsSender | undefined;
}

const perPhoneAndDay = { limit: 10, windowSeconds: 86_400 };
const perAddress = { limit: 20, windowSeconds: 3600 };
/** What a flood from many addresses may cost us. */
const inAll = { limit: 3000, windowSeconds: 3600 };
const wrongTriesMax = 5;

const tooMany = (what: string) => new AppError("too-many", what, { status: 429 });

/** Sends a code, within the limits. Whether the phone has an account is never looked at. */
export async function sendCode(parts: CodeParts, request: CodeRequest): Promise<CodeSent> {
  const { db, keys, allow, sender } = parts;
  const { phone, address, idempotencyKey } = request;
  if (!sender) throw new AppError("failure", "no provider of text messages is set up");
  if (!(await allow(`code-address:${address}`, perAddress))) throw tooMany("codes for this address");
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const phoneHash = keys.hashPhone(phone);
  const fresh = { phoneHash, codeHash: keys.hashCode(phoneHash, code), requestKey: keyHashOf(idempotencyKey) };
  const isNew = await db.transaction().execute((trx) => keepCode(trx, allow, fresh));
  const sent = { ttl: codeTtlSeconds, resend: codeResendSeconds };
  if (!isNew) return sent;
  try {
    await sender.send({ phone, code });
  } catch (error) {
    // It may have arrived all the same, so it stays good; but another may be asked for at once.
    await db
      .updateTable("login_code")
      .set({ sent_at: sql<Date>`now() - make_interval(secs => ${codeResendSeconds}::int)` })
      .where("phone_hash", "=", phoneHash)
      .where("code_hash", "=", fresh.codeHash)
      .execute();
    throw error;
  }
  return sender.showsCodes ? { ...sent, demoCode: code } : sent;
}

const keyHashOf = (key: string | undefined) => (key === undefined ? null : hashOf(key));

interface FreshCode {
  phoneHash: string;
  codeHash: string;
  requestKey: string | null;
}

/** Replaces the phone's code; false for a repeated call, whose code is on its way. */
async function keepCode(trx: Db, allow: RateLimit["allow"], fresh: FreshCode): Promise<boolean> {
  const { phoneHash, codeHash, requestKey } = fresh;
  const { rows } = await sql`
    insert into login_code (phone_hash, code_hash, request_key, expires_at)
    values (${phoneHash}, ${codeHash}, ${requestKey}, now() + make_interval(secs => ${codeTtlSeconds}::int))
    on conflict (phone_hash) do update set code_hash = excluded.code_hash, request_key = excluded.request_key,
      wrong_tries = 0, sent_at = excluded.sent_at, expires_at = excluded.expires_at, used_key = null, nonce = null
    where login_code.sent_at <= now() - make_interval(secs => ${codeResendSeconds}::int)
    returning phone_hash`.execute(trx);
  if (rows.length === 0) {
    const last = await findCode(trx, phoneHash);
    if (requestKey !== null && last?.request_key === requestKey) return false;
    throw tooMany("a code was sent just now");
  }
  if (!(await allow(`code-phone:${phoneHash}`, perPhoneAndDay, trx))) throw tooMany("codes for this phone today");
  // Last, because everybody waits for this row until the transaction ends.
  if (!(await allow("code", inAll, trx))) throw tooMany("codes in all");
  return true;
}

const findCode = (trx: Db, phoneHash: string) =>
  trx.selectFrom("login_code").selectAll().where("phone_hash", "=", phoneHash).executeTakeFirst();

interface Redemption {
  /** What the token is made from. */
  nonce: string;
  /** The same call once more, after its answer was lost. */
  isRepeat: boolean;
}

/**
 * Uses up a code; null for a wrong, dead, used or missing one. Call in a transaction that commits either way: wrong tries
 * count, and whoever tries at the same time waits.
 */
export async function redeemCode(
  trx: Db,
  keys: AccountKeys,
  { phoneHash, code, idempotencyKey }: { phoneHash: string; code: string; idempotencyKey: string | undefined },
): Promise<Redemption | null> {
  const row = await trx
    .selectFrom("login_code")
    .selectAll()
    .where("phone_hash", "=", phoneHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .where("wrong_tries", "<", wrongTriesMax)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const change = trx.updateTable("login_code").where("phone_hash", "=", phoneHash);
  if (!timingSafeEqual(Buffer.from(row.code_hash), Buffer.from(keys.hashCode(phoneHash, code)))) {
    await change.set({ wrong_tries: row.wrong_tries + 1 }).execute();
    return null;
  }
  const usedKey = keyHashOf(idempotencyKey) ?? "";
  if (row.nonce !== null)
    return usedKey !== "" && row.used_key === usedKey ? { nonce: row.nonce, isRepeat: true } : null;
  const nonce = randomBytes(32).toString("base64url");
  await change.set({ used_key: usedKey, nonce }).execute();
  return { nonce, isRepeat: false };
}

export async function sweepCodes(db: Db): Promise<void> {
  await db.deleteFrom("login_code").where("expires_at", "<", sql<Date>`now()`).execute();
}
