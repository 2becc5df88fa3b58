import { sql } from "kysely";
import type { Db } from "./database";

interface RateRule {
  limit: number;
  windowSeconds: number;
}

export interface RateLimit {
  /**
   * Counts one hit; false when the key has used up its window. Holds over all servers on one database. With `trx` the hit
   * counts if that transaction commits.
   */
  allow(key: string, rule: RateRule, trx?: Db): Promise<boolean>;
  sweep(): Promise<void>;
}

/** Counts hits per key in fixed windows. */
export function createRateLimit(db: Db): RateLimit {
  return {
    async allow(key, { limit, windowSeconds }, trx = db) {
      const { rows } = await sql<{ hits: number }>`
        insert into rate (key, window_start, hits, expires_at)
        values (${key}, floor(extract(epoch from now()) / ${windowSeconds}::int) * ${windowSeconds}::int, 1,
          now() + make_interval(secs => ${windowSeconds}::int * 2))
        on conflict (key, window_start) do update set hits = rate.hits + 1
        returning hits`.execute(trx);
      return (rows[0]?.hits ?? 1) <= limit;
    },
    async sweep() {
      await sql`delete from rate where expires_at < now()`.execute(db);
    },
  };
}
