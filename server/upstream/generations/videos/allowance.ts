import { sql } from "kysely";
import { monthlyVideos } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { Spending } from "../../voices/ports";
import type { Tier } from "../task-runs";

export const videoLimitOf = (tier: Tier): number => monthlyVideos[tier ?? "none"];

const month = sql<string>`to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM')`;

/** The account's films of this month. */
export async function usedVideos(db: Db, accountId: string): Promise<number> {
  const rows = db.selectFrom("video_use").where("account_id", "=", accountId).where("month", "=", month);
  const { used } = await rows.select((eb) => eb.fn.countAll<string>().as("used")).executeTakeFirstOrThrow();
  return Number(used);
}

/** Films take no characters, only one of the month's. Throws video-limit. */
export const videoSpending: Pick<Spending, "reserve" | "settle" | "release"> = {
  async reserve(trx, { accountId, taskId, tier }) {
    // Two films that start at once are counted one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`video ${accountId}`}, 0))`.execute(trx);
    const [used, limit] = [await usedVideos(trx, accountId), videoLimitOf(tier)];
    if (used >= limit) throw new AppError("video-limit", "the month's films are made", { data: { used, limit } });
    await trx.insertInto("video_use").values({ task_id: taskId, account_id: accountId, month }).execute();
  },
  settle: async () => {},
  async release(trx, taskId) {
    await trx.deleteFrom("video_use").where("task_id", "=", taskId).execute();
  },
};
