export const stepSeconds = 30 * 86_400;

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

/** Remaining seconds of a grant. `missing`: refunded seconds that were used already. */
interface GrantHolding extends Pick<Grant, "id" | "tier" | "monthly"> {
  left: number;
  used: number;
  missing: number;
}

/** A stretch of time in which one grant runs. Unix seconds; `offset`: seconds of the grant that were used before. */
export interface GrantRun {
  grantId: string;
  tier: Tier;
  from: number;
  until: number;
  offset: number;
}

/** The professional tier runs first, the older grant of a tier before the newer one. */
const runningOrder: readonly Tier[] = ["svip", "vip"];

/** Runs the ledger of grants, in the order of its rows, until `end`; all time that is left where it is infinite. */
export function replay(rows: ReadonlyArray<Grant | GrantChange>, end: number) {
  const holdings = new Map<string, GrantHolding>();
  const ranUntil: Record<Tier, number> = { vip: 0, svip: 0 };
  const runs: GrantRun[] = [];
  let clock = 0;
  const runUntil = (until: number) => {
    const inOrder = runningOrder.flatMap((tier) => [...holdings.values()].filter((holding) => holding.tier === tier));
    for (const holding of inOrder) {
      const seconds = Math.min(holding.left, Math.max(0, until - clock));
      if (seconds === 0) continue;
      addRun(runs, {
        grantId: holding.id,
        tier: holding.tier,
        from: clock,
        until: clock + seconds,
        offset: holding.used,
      });
      holding.left -= seconds;
      holding.used += seconds;
      clock += seconds;
      ranUntil[holding.tier] = clock;
    }
    clock = Math.max(clock, until);
  };
  for (const row of rows) {
    runUntil(row.at);
    if ("changes" in row) changeHolding(holdings.get(row.changes), row.seconds);
    else holdings.set(row.id, { ...row, left: row.seconds, used: 0, missing: 0 });
  }
  runUntil(end);
  return { clock, ranUntil, runs, holdings: [...holdings.values()] };
}

/** Joins the run to the one before where nothing ran between. */
function addRun(runs: GrantRun[], run: GrantRun) {
  const last = runs.at(-1);
  if (last?.grantId === run.grantId && last.until === run.from) last.until = run.until;
  else runs.push(run);
}

/** Restored time first covers what an earlier refund could not take back. */
function changeHolding(holding: GrantHolding | undefined, seconds: number) {
  if (!holding) return;
  const left = holding.left - holding.missing + seconds;
  holding.left = Math.max(0, left);
  holding.missing = Math.max(0, -left);
}
