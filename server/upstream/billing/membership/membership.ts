/** `svip` is the professional tier; it runs first where both are active. */
export type Tier = "vip" | "svip";

/** Time that was granted. Times are Unix seconds. */
export interface Grant {
  id: string;
  tier: Tier;
  seconds: number;
  monthly: boolean;
  at: number;
}

/** A refund of a grant (negative seconds), or the return of refunded time (positive). */
export interface GrantChange {
  changes: string;
  seconds: number;
  at: number;
}

export interface Membership {
  /** Unix seconds; 0 where the tier never ran. */
  vipExpire: number;
  svipExpire: number;
  /** The newest active grant came from a monthly package. */
  isMonthly: boolean;
}

/** What a grant still gives. `missing`: refunded seconds that were used already and cannot be taken back. */
interface Holding extends Pick<Grant, "tier" | "monthly"> {
  left: number;
  missing: number;
}

/** The professional tier runs first, the older grant of a tier before the newer one. */
const runningOrder: readonly Tier[] = ["svip", "vip"];

/**
 * Replays the ledger of grants in the order of its rows. Time of the normal tier waits while the professional one runs,
 * so that no paid second is lost. A refund takes back what its own grant still gives and nothing else.
 */
export function toMembership(rows: ReadonlyArray<Grant | GrantChange>, now: number): Membership {
  const holdings = new Map<string, Holding>();
  const ranUntil: Record<Tier, number> = { vip: 0, svip: 0 };
  let clock = 0;
  const runUntil = (until: number) => {
    for (const tier of runningOrder) {
      for (const holding of ofTier(holdings, tier)) {
        const used = Math.min(holding.left, Math.max(0, until - clock));
        holding.left -= used;
        clock += used;
        if (used > 0) ranUntil[tier] = clock;
      }
    }
    clock = Math.max(clock, until);
  };
  for (const row of rows) {
    runUntil(row.at);
    if ("changes" in row) changeHolding(holdings.get(row.changes), row.seconds);
    else holdings.set(row.id, { tier: row.tier, monthly: row.monthly, left: row.seconds, missing: 0 });
  }
  runUntil(now);
  const left = { svip: sumLeft(holdings, "svip"), vip: sumLeft(holdings, "vip") };
  return {
    svipExpire: left.svip > 0 ? clock + left.svip : ranUntil.svip,
    vipExpire: left.vip > 0 ? clock + left.svip + left.vip : ranUntil.vip,
    isMonthly: [...holdings.values()].findLast((holding) => holding.left > 0)?.monthly ?? false,
  };
}

const ofTier = (holdings: ReadonlyMap<string, Holding>, tier: Tier): Holding[] =>
  [...holdings.values()].filter((holding) => holding.tier === tier);

const sumLeft = (holdings: ReadonlyMap<string, Holding>, tier: Tier): number =>
  ofTier(holdings, tier).reduce((sum, { left }) => sum + left, 0);

/** Time that comes back first covers what an earlier refund could not take. */
function changeHolding(holding: Holding | undefined, seconds: number) {
  if (!holding) return;
  const left = holding.left - holding.missing + seconds;
  holding.left = Math.max(0, left);
  holding.missing = Math.max(0, -left);
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
