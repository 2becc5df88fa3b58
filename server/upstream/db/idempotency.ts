import { createHash } from "node:crypto";
import { AppError } from "../errors";
import type { Db } from "./database";

/** The request to run once. `key`: the caller's idempotency key, if it sent one. */
interface OnceRequest {
  owner: string;
  call: string;
  key: string | undefined;
  request: unknown;
}

interface OnceResult<Answer> {
  answer: Answer;
  first: boolean;
}

/**
 * Runs `work` in a transaction. A repetition with the same owner, call and key gets the first answer. Throws bad-request
 * (409) when the key belongs to another request.
 */
export interface Once {
  <Answer>(request: OnceRequest, work: (trx: Db) => Promise<Answer>): Promise<OnceResult<Answer>>;
  /** Replaces the stored answer, for results that are known only after the transaction. */
  amend(request: OnceRequest, answer: unknown): Promise<void>;
}

const keptHours = 48;

const hashOf = (request: unknown) => createHash("sha256").update(JSON.stringify(request)).digest("base64url");

/**
 * Idempotency: effect and stored answer commit in one transaction, so that a repeated or parallel request never acts twice.
 * A parallel request waits for the first and acts only if that one fails. Answers are JSON.
 */
export function createOnce(db: Db): Once & { forget(trx: Db, owner: string): Promise<void>; sweep(): Promise<void> } {
  const once = <Answer>({ owner, call, key, request }: OnceRequest, work: (trx: Db) => Promise<Answer>) =>
    db.transaction().execute(async (trx): Promise<OnceResult<Answer>> => {
      if (key === undefined) return { answer: await work(trx), first: true };
      const id = { owner, call, key };
      const inserted = await trx
        .insertInto("idempotency")
        .values({ ...id, request: hashOf(request), answer: null })
        .onConflict((conflict) => conflict.doNothing())
        .returning("key")
        .executeTakeFirst();
      const row = trx.selectFrom("idempotency").selectAll();
      if (!inserted) {
        const kept = await row
          .where("owner", "=", owner)
          .where("call", "=", call)
          .where("key", "=", key)
          .executeTakeFirstOrThrow();
        if (kept.request !== hashOf(request))
          throw new AppError("bad-request", "the idempotency key belongs to another request", { status: 409 });
        return { answer: kept.answer as Answer, first: false };
      }
      const answer = await work(trx);
      await store(trx, { owner, call, key }, answer);
      return { answer, first: true };
    });

  const amend = async ({ owner, call, key }: OnceRequest, answer: unknown) => {
    if (key !== undefined) await store(db, { owner, call, key }, answer);
  };
  const sweep = async () => {
    const before = new Date(Date.now() - keptHours * 3_600_000);
    await db.deleteFrom("idempotency").where("created_at", "<", before).execute();
  };
  /** Deletes all answers of one owner. */
  const forget = async (trx: Db, owner: string) => {
    await trx.deleteFrom("idempotency").where("owner", "=", owner).execute();
  };
  return Object.assign(once, { amend, forget, sweep });
}

async function store(db: Db, { owner, call, key }: { owner: string; call: string; key: string }, answer: unknown) {
  await db
    .updateTable("idempotency")
    .set({ answer: JSON.stringify(answer) })
    .where("owner", "=", owner)
    .where("call", "=", call)
    .where("key", "=", key)
    .execute();
}
