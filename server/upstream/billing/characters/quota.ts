import type { Db } from "../../db/database";
import { readMembership } from "../membership/grants";
import type { Membership } from "../membership/membership";
import { monthEnd, monthOf, toSeconds } from "../month";
import { type BucketRow, readBuckets } from "./buckets";
import { type Bucket, buckets, monthly, type PerBucket } from "./split";

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

/** A tier's month is there while the tier is; packs stay until their month is over. */
function toState(bucket: Bucket, row: BucketRow | undefined, isActive: boolean): BucketState {
  const used = row ? row.used + row.reserved : 0;
  if (bucket === "pack") return { total: row?.total ?? 0, used, left: (row?.total ?? 0) - used };
  if (!isActive) return { total: used, used, left: 0 };
  const total = row?.total ?? monthly[bucket];
  return { total, used, left: total - used };
}

export function toQuota(rows: BucketRow[], membership: Membership, now: Date): Quota {
  const at = toSeconds(now);
  const active = { svip: membership.svipExpire > at, vip: membership.vipExpire > at, pack: true };
  const states = buckets.map((bucket) => [
    bucket,
    toState(
      bucket,
      rows.find((row) => row.bucket === bucket),
      active[bucket],
    ),
  ]);
  return { ...(Object.fromEntries(states) as Record<Bucket, BucketState>), resetAt: toSeconds(monthEnd(now)) };
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
