/** `svip` is the professional tier; it runs first where both are active. */
export type Tier = "vip" | "svip";

/** Time that was granted, in the order it was granted. Times are Unix seconds. */
export interface Grant {
  tier: Tier;
  /** What is left of it after refunds; 0 counts as if it had never been. */
  seconds: number;
  monthly: boolean;
  at: number;
}

/** Unix seconds; 0 where there never was any. */
export interface Expiry {
  vip: number;
  svip: number;
}

export interface Membership {
  vipExpire: number;
  svipExpire: number;
  /** The newest active grant came from a monthly package. */
  isMonthly: boolean;
}

/** One grant on top of what there is: time of the other tier is pushed back, so that no paid second is lost. */
export function stack({ vip, svip }: Expiry, { tier, seconds, at }: Grant): Expiry {
  if (seconds === 0) return { vip, svip };
  const from = Math.max(at, svip);
  const left = Math.max(0, vip - from);
  if (tier === "vip") return { svip, vip: from + left + seconds };
  const end = from + seconds;
  return { svip: end, vip: left > 0 ? end + left : vip };
}

/** Seconds of each tier still to run: the normal one waits until the professional one is over. */
export function remaining({ vip, svip }: Expiry, now: number): Record<Tier, number> {
  return { svip: Math.max(0, svip - now), vip: Math.max(0, vip - Math.max(now, svip)) };
}

/** What all grants come to. A refund is a grant with fewer seconds: by this the exact inverse of having bought them. */
export function toMembership(grants: Grant[], now: number): Membership {
  const expiry = grants.reduce(stack, { vip: 0, svip: 0 });
  const left = remaining(expiry, now);
  // A tier's newest grant is the last of that tier to run out.
  const newest = grants.findLast(({ tier, seconds }) => seconds > 0 && left[tier] > 0);
  return { vipExpire: expiry.vip, svipExpire: expiry.svip, isMonthly: newest?.monthly ?? false };
}

/** The tier whose benefits hold now; null without one. */
export function tierAt({ vipExpire, svipExpire }: Membership, now: number): Tier | null {
  if (svipExpire > now) return "svip";
  return vipExpire > now ? "vip" : null;
}

/** What a refund of `refundedFen` in all takes away of something that cost `amountFen`: all of it for all the money. */
export function shareOf(whole: number, { refundedFen, amountFen }: { refundedFen: number; amountFen: number }): number {
  return Number((BigInt(whole) * BigInt(refundedFen)) / BigInt(amountFen));
}
