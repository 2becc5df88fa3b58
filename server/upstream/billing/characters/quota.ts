import type { Db } from "../../db/database";
import { readMembership } from "../membership/grants";
import { type Membership, type Tier, tierAt } from "../membership/membership";
import { monthEnd, monthOf, toSeconds } from "../month";
import { type BucketRow, readBuckets } from "./buckets";
import { type Bucket, monthly, type PerBucket } from "./split";

/** In characters; what running tasks hold counts as used. total = used + left. */
export interface BucketState {
  total: number;
  used: number;
  left: number;
}

export interface Quota extends Record<Bucket, BucketState> {
  /** Unix seconds: when the month's characters start anew. */
  resetAt: number;
}

/** Only the running tier has a month: the other one's begins with its time. Packs stay until their month is over. */
function toState(bucket: Bucket, row: BucketRow | undefined, running: Tier | null): BucketState {
  const used = row ? row.used + row.reserved : 0;
  if (bucket === "pack") return { total: row?.total ?? 0, used, left: (row?.total ?? 0) - used };
  if (bucket !== running) return { total: used, used, left: 0 };
  const total = row?.total ?? monthly[bucket];
  return { total, used, left: total - used };
}

export function toQuota(rows: BucketRow[], membership: Membership, now: Date): Quota {
  const running = tierAt(membership, toSeconds(now));
  const stateOf = (bucket: Bucket) =>
    toState(
      bucket,
      rows.find((row) => row.bucket === bucket),
      running,
    );
  return { svip: stateOf("svip"), vip: stateOf("vip"), pack: stateOf("pack"), resetAt: toSeconds(monthEnd(now)) };
}

export async function readQuota(db: Db, accountId: string, now: Date): Promise<Quota> {
  const rows = await readBuckets(db, accountId, monthOf(now));
  return toQuota(rows, await readMembership(db, accountId, now), now);
}

export const leftOf = ({ svip, vip, pack }: Quota): PerBucket => ({
  svip: svip.left,
  vip: vip.left,
  pack: pack.left,
});

export const usedOf = ({ svip, vip, pack }: Quota): number => svip.used + vip.used + pack.used;
