import { sql } from "kysely";
import type { Db } from "./database";

export interface RateRule {
  limit: number;
  windowSeconds: number;
}

export interface RateCount {
  /** False when the key has exceeded its limit in this window. */
  isAllowed: boolean;
  /** Hits in this window, including this one. */
  hits: number;
  /** Seconds until the window ends, rounded up. */
  retryAfterSeconds: number;
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** Counts hits per key in fixed windows that begin at whole multiples of their length. */
export function createRateLimit(db: Db) {
  return {
    /** Counts one hit, for all servers on one database. With `trx` the hit counts if that transaction commits. */
    async hit(key: string, { limit, windowSeconds }: RateRule, trx: Db = db): Promise<RateCount> {
      const { rows } = await sql<{ hits: number; left: number }>`
        insert into rate (key, window_start, hits, expires_at)
        values (${key}, floor(extract(epoch from now()) / ${windowSeconds}::int) * ${windowSeconds}::int, 1,
          now() + make_interval(secs => ${windowSeconds}::int * 2))
        on conflict (key, window_start) do update set hits = rate.hits + 1
        returning hits, ceil(window_start + ${windowSeconds}::int - extract(epoch from now()))::int as left`.execute(
        trx,
      );
      const { hits, left } = rows[0] ?? { hits: 1, left: windowSeconds };
      return { isAllowed: hits <= limit, hits, retryAfterSeconds: Math.max(1, left) };
    },
    async sweep() {
      await sql`delete from rate where expires_at < now()`.execute(db);
    },
  };
}
