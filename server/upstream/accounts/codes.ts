import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";
import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import { codeResendSeconds, codeTtlSeconds } from "~server/contract/limits";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import type { RateLimit, RateRule } from "../db/rate-limit";
import { AppError } from "../errors";
import type { SmsSender } from "../sms/sender";
import { type AccountKeys, hashOf } from "./credentials";

export interface CodeRequest {
  phone: string;
  /** Network address of the caller. */
  address: string;
  idempotencyKey: string | undefined;
}

type CodeSent = CallData<"captcha">;

export interface CodeParts {
  db: Db;
  once: Once;
  keys: AccountKeys;
  hitRate: RateLimit["hit"];
  /** Absent if no provider is configured: login codes are not available. */
  sender: SmsSender | undefined;
}

const perPhoneAndDay = { limit: 10, windowSeconds: 86_400 };
const perAddress = { limit: 20, windowSeconds: 3600 };
/**
 * Above this global limit each network is limited, so that a flood blocks only the networks it comes from. The provider's
 * own daily limit bounds the cost.
 */
const inAll = { limit: 3000, windowSeconds: 3600 };
const perNetworkInFlood = { limit: 10, windowSeconds: 3600 };
const wrongTriesMax = 5;

const tooMany = (what: string, retryAfterSeconds: number) =>
  new AppError("too-many", what, { status: 429, retryAfterSeconds });

/** The provider's refusal; absent once the code was sent. */
interface CodeOutcome {
  failure?: { code: AppError["code"]; status: number };
}

/**
 * Sends a code, within the limits, once per idempotency key: a repeated call gets the first outcome. Does not depend on
 * whether the phone has an account. Throws too-many (429) and what the sender throws.
 */
export async function sendCode(parts: CodeParts, request: CodeRequest): Promise<CodeSent> {
  const { once, keys, sender } = parts;
  const { phone, idempotencyKey: key } = request;
  if (!sender) throw new AppError("failure", "no provider of text messages is set up");
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const phoneHash = keys.hashPhone(phone);
  const fresh = { phoneHash, codeHash: keys.hashCode(phoneHash, code), address: request.address };
  const call = { owner: `phone:${phoneHash}`, call: "captcha", key, request: phoneHash };
  const result = await once(call, async (trx): Promise<CodeOutcome> => {
    await replaceCode(trx, parts.hitRate, fresh);
    return {};
  });
  const sent = { ttl: codeTtlSeconds, resend: codeResendSeconds };
  if (!result.first) {
    const { failure } = result.answer;
    if (failure) throw new AppError(failure.code, "the code of this key was refused", { status: failure.status });
    return sent;
  }
  try {
    await sender.send({ phone, code });
  } catch (error) {
    await allowResend(parts, fresh);
    const { code: failed, status } = error instanceof AppError ? error : unexpected;
    await once.amend(call, { failure: { code: failed, status } } satisfies CodeOutcome);
    throw error;
  }
  return sender.showsCodes ? { ...sent, demoCode: code } : sent;
}

const unexpected = { code: "request-failed", status: 502 } as const;

const keyHashOf = (key: string | undefined) => (key === undefined ? null : hashOf(key));

interface FreshCode {
  phoneHash: string;
  codeHash: string;
  address: string;
}

/** Allows a new code at once. The refused one may have arrived and stays valid. */
async function allowResend({ db }: CodeParts, { phoneHash, codeHash }: FreshCode) {
  await db
    .updateTable("login_code")
    .set({ sent_at: sql<Date>`now() - make_interval(secs => ${codeResendSeconds}::int)` })
    .where("phone_hash", "=", phoneHash)
    .where("code_hash", "=", codeHash)
    .execute();
}

/** Replaces the phone's code, within the limits. A refused request is rolled back and counts for no limit. */
async function replaceCode(trx: Db, hit: RateLimit["hit"], { phoneHash, codeHash, address }: FreshCode) {
  const { rows } = await sql`
    insert into login_code (phone_hash, code_hash, expires_at)
    values (${phoneHash}, ${codeHash}, now() + make_interval(secs => ${codeTtlSeconds}::int))
    on conflict (phone_hash) do update set code_hash = excluded.code_hash,
      wrong_tries = 0, sent_at = excluded.sent_at, expires_at = excluded.expires_at, used_key = null, nonce = null
    where login_code.sent_at <= now() - make_interval(secs => ${codeResendSeconds}::int)
    returning phone_hash`.execute(trx);
  if (rows.length === 0) throw tooMany("a code was sent just now", codeResendSeconds);
  const bound = async (key: string, rule: RateRule) => {
    const count = await hit(key, rule, trx);
    if (!count.isAllowed) throw tooMany(`codes: ${key}`, count.retryAfterSeconds);
  };
  await bound(`code-phone:${phoneHash}`, perPhoneAndDay);
  await bound(`code-address:${address}`, perAddress);
  const network = await hit(`code-network:${networkOf(address)}`, perNetworkInFlood, trx);
  // Last: this row stays locked for all other requests until the transaction ends.
  const all = await hit("code", inAll, trx);
  if (!all.isAllowed && !network.isAllowed) throw tooMany("codes in all", network.retryAfterSeconds);
}

/** The network of one subscriber: an IPv4 /24, an IPv6 /48. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const octets = parsed.toByteArray().slice(0, parsed.kind() === "ipv4" ? 3 : 6);
  return octets.join(".");
}

interface Redemption {
  /** The seed of the token. */
  nonce: string;
  /** A repetition of the call whose response was lost. */
  isRepeat: boolean;
}

/**
 * Redeems a code; null for a wrong, expired, used or missing one. Call it in a transaction that commits in any case: wrong
 * attempts count, and concurrent attempts wait.
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
