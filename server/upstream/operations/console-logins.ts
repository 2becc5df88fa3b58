import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { type ConsoleMe, consoleIdleMinutes, freshCodeMinutes, type OperatorRole } from "~server/contract/console";
import { redeemCode } from "../accounts/codes";
import { type AccountKeys, hashOf } from "../accounts/credentials";
import type { Db } from "../db/database";
import type { RateLimit } from "../db/rate-limit";
import { AppError } from "../errors";
import { decrypt, deriveKey, encrypt } from "../sealing";

/** Who uses the console now. */
export interface ConsoleOperator {
  id: string;
  name: string;
  role: OperatorRole;
  isEnrolled: boolean;
  freshAt: Date | null;
}

interface LoginParts {
  db: Db;
  keys: AccountKeys;
  dataKey: string;
  siteName: string;
  hitRate: RateLimit["hit"];
  now(): Date;
}

const periodSeconds = 30;
const recoveryCodeCount = 10;
const loginsPerAddress = { limit: 30, windowSeconds: 600 };
const codesPerOperator = { limit: 10, windowSeconds: 600 };

const codeWrong = () => new AppError("code-wrong", "wrong, dead or used code");

/** Logins of the console: a phone's code, then the code of an authenticator. */
export class ConsoleLogins {
  readonly #parts: LoginParts;
  readonly #sealing: Buffer;

  constructor(parts: LoginParts) {
    this.#parts = parts;
    this.#sealing = deriveKey(parts.dataKey, "operator authenticator");
  }

  /** Throws code-wrong for an invalid code and for people who are no operators alike. */
  async logIn({ phone, code, address }: { phone: string; code: string; address: string }): Promise<string> {
    await this.#bound(`console-login:${address}`, loginsPerAddress);
    const { db, keys } = this.#parts;
    const phoneHash = keys.hashPhone(phone);
    const token = await db.transaction().execute(async (trx) => {
      const redeemed = await redeemCode(trx, keys, { phoneHash, code, idempotencyKey: undefined });
      if (!redeemed) return null;
      const operator = await trx
        .selectFrom("operator")
        .innerJoin("account", "account.id", "operator.account_id")
        .select("operator.id")
        .where("phone_hash", "=", phoneHash)
        .where("banned_at", "is", null)
        .executeTakeFirst();
      if (!operator) return null;
      const made = randomBytes(32).toString("base64url");
      const row = { hash: hashOf(made), operator_id: operator.id, fresh_at: null };
      await trx.insertInto("operator_login").values(row).execute();
      return made;
    });
    if (token === null) throw codeWrong();
    return token;
  }

  /** Keeps the login alive. Throws login-expired for an unknown token and after a while without a call. */
  async find(token: string): Promise<ConsoleOperator> {
    const { rows } = await sql<ConsoleOperator>`
      update operator_login set seen_at = now() from operator join account on account.id = operator.account_id
      where operator.id = operator_login.operator_id and operator_login.hash = ${hashOf(token)}
        and operator_login.seen_at > now() - make_interval(mins => ${consoleIdleMinutes}::int) and banned_at is null
      returning operator.id, name, role, is_enrolled as "isEnrolled", fresh_at as "freshAt"`.execute(this.#parts.db);
    const [operator] = rows;
    if (!operator) throw new AppError("login-expired", "no login of the console has this token");
    return operator;
  }

  async logOut(token: string): Promise<void> {
    await this.#parts.db.deleteFrom("operator_login").where("hash", "=", hashOf(token)).execute();
  }

  stageOf({ isEnrolled, freshAt }: ConsoleOperator): ConsoleMe["stage"] {
    if (!isEnrolled) return "enrol";
    return freshAt ? "in" : "code";
  }

  isFresh({ freshAt }: ConsoleOperator): boolean {
    return freshAt !== null && Date.now() - freshAt.getTime() < freshCodeMinutes * 60_000;
  }

  /** The authenticator's address, `otpauth://…`; the same until its first right code. */
  async secretUri({ id, name }: ConsoleOperator): Promise<string> {
    const fresh = encrypt(this.#sealing, new Secret({ size: 20 }).base32, id).toString("base64url");
    const { totp_sealed } = await this.#parts.db
      .updateTable("operator")
      .set({ totp_sealed: sql<string>`coalesce(totp_sealed, ${fresh})` })
      .where("id", "=", id)
      .returning("totp_sealed")
      .executeTakeFirstOrThrow();
    return this.#totp(id, totp_sealed ?? fresh, name).toString();
  }

  /**
   * Takes a code of the authenticator or a recovery code, each once. Returns recovery codes at the first one, which sets
   * the authenticator up. Throws code-wrong, and too-many after ten tries in ten minutes.
   */
  async verify(token: string, code: string): Promise<string[]> {
    const operator = await this.find(token);
    await this.#bound(`console-code:${operator.id}`, codesPerOperator);
    return this.#parts.db.transaction().execute(async (trx) => {
      const change = trx.updateTable("operator").where("id", "=", operator.id);
      const row = await trx
        .selectFrom("operator")
        .selectAll()
        .where("id", "=", operator.id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const typed = code.replace(/[\s-]/g, "").toLowerCase();
      const counter = row.totp_sealed === null ? null : this.#counterOf(row.id, row.totp_sealed, typed);
      const recovery: string[] = [];
      if (counter !== null && counter > Number(row.totp_counter)) {
        if (!row.is_enrolled) recovery.push(...newRecoveryCodes());
        const hashes = row.is_enrolled ? row.recovery_hashes : recovery.map((each) => hashOf(each.replace("-", "")));
        await change.set({ totp_counter: String(counter), is_enrolled: true, recovery_hashes: hashes }).execute();
      } else if (row.is_enrolled && row.recovery_hashes.includes(hashOf(typed))) {
        await change.set({ recovery_hashes: row.recovery_hashes.filter((hash) => hash !== hashOf(typed)) }).execute();
      } else throw codeWrong();
      const login = trx.updateTable("operator_login").where("hash", "=", hashOf(token));
      await login.set({ fresh_at: sql<Date>`now()` }).execute();
      return recovery;
    });
  }

  /** The period of a right code, one period early or late included; null for a wrong one. */
  #counterOf(id: string, sealed: string, code: string): number | null {
    const timestamp = this.#parts.now().getTime();
    const delta = this.#totp(id, sealed, "").validate({ token: code, timestamp, window: 1 });
    return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta;
  }

  #totp(id: string, sealed: string, label: string): TOTP {
    const secret = Secret.fromBase32(decrypt(this.#sealing, Buffer.from(sealed, "base64url"), id));
    return new TOTP({ issuer: this.#parts.siteName, label, secret, period: periodSeconds });
  }

  async #bound(key: string, rule: { limit: number; windowSeconds: number }): Promise<void> {
    const { isAllowed, retryAfterSeconds } = await this.#parts.hitRate(key, rule);
    if (!isAllowed) throw new AppError("too-many", key, { status: 429, retryAfterSeconds });
  }
}

/** 50 bits each. */
const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => {
    const code = [...randomBytes(10)].map((byte) => "abcdefghjkmnpqrstuvwxyz23456789"[byte % 31]).join("");
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
