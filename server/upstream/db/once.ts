import { createHash } from "node:crypto";
import type { Db } from "./database";

/** Which request: `key` is the caller's idempotency key, absent when it sent none. */
interface OnceRequest {
  owner: string;
  call: string;
  key: string | undefined;
  request: unknown;
}

type OnceResult<Answer> = { kind: "answer"; answer: Answer; first: boolean } | { kind: "other-request" };

/** Runs `work` in a transaction; the same key by the same owner for the same call gets the first one's answer. */
export type Once = <Answer>(request: OnceRequest, work: (trx: Db) => Promise<Answer>) => Promise<OnceResult<Answer>>;

const keptHours = 48;

const hashOf = (request: unknown) => createHash("sha256").update(JSON.stringify(request)).digest("base64url");

/**
 * Idempotency: effect and stored answer are one transaction, so that a repeated or parallel request never acts twice.
 * A parallel one waits for the first; when that one fails nothing is kept and the waiting one acts. Answers are JSON.
 */
export function createOnce(db: Db): Once & { forget(trx: Db, owner: string): Promise<void>; sweep(): Promise<void> } {
  const once: Once = ({ owner, call, key, request }, work) =>
    db.transaction().execute(async (trx) => {
      if (key === undefined) return { kind: "answer", answer: await work(trx), first: true };
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
        if (kept.request !== hashOf(request)) return { kind: "other-request" };
        return { kind: "answer", answer: kept.answer as Awaited<ReturnType<typeof work>>, first: false };
      }
      const answer = await work(trx);
      await trx
        .updateTable("idempotency")
        .set({ answer: JSON.stringify(answer) })
        .where("owner", "=", owner)
        .where("call", "=", call)
        .where("key", "=", key)
        .execute();
      return { kind: "answer", answer, first: true };
    });

  const sweep = async () => {
    const before = new Date(Date.now() - keptHours * 3_600_000);
    await db.deleteFrom("idempotency").where("created_at", "<", before).execute();
  };
  /** All that one owner was answered. */
  const forget = async (trx: Db, owner: string) => {
    await trx.deleteFrom("idempotency").where("owner", "=", owner).execute();
  };
  return Object.assign(once, { forget, sweep });
}
