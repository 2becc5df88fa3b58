import { composerCopy } from "~/copy/clone";
import { joinClauses } from "~/copy/format";
import { costCopy } from "~/copy/generation";
import type { Allowance } from "~server/bff/accounts.server";
import { countCharacters } from "~server/contract/marks";

export type Cost =
  | { kind: "nothing" }
  | { kind: "visitor" | "need"; need: number }
  | { kind: "characters" | "short"; need: number; left: number }
  | { kind: "trial"; left: number }
  | { kind: "no-trial" };

/** The cost of a generation in characters or trials; `left` is what remains after it. */
export function costOf(content: string, allowance: Allowance | null, isLoggedIn: boolean): Cost {
  const need = countCharacters(content);
  if (need === 0) return { kind: "nothing" };
  if (!isLoggedIn) return { kind: "visitor", need };
  if (!allowance) return { kind: "nothing" };
  const { tier, left } = allowance;
  if (left === null) return { kind: "need", need };
  if (!tier) return left > 0 ? { kind: "trial", left: left - 1 } : { kind: "no-trial" };
  return need > left ? { kind: "short", need, left } : { kind: "characters", need, left: left - need };
}

/** The cost in words, with a link to buy more if it exceeds what is left. */
export function CostLine({ cost, onBuy }: { cost: Cost; onBuy(): void }) {
  const isShort = cost.kind === "short" || cost.kind === "no-trial";
  return (
    <p className="tabular min-h-[1.25rem] text-xs text-muted" id="clone-cost">
      <span className={isShort ? "text-seal" : "text-ink"}>{sentenceOf(cost)}</span>
      {isShort && (
        <button className="ml-2 min-h-[44px] text-gold underline underline-offset-4" onClick={onBuy} type="button">
          {cost.kind === "short" ? costCopy.buy : costCopy.join}
        </button>
      )}
    </p>
  );
}

function sentenceOf(cost: Cost): string {
  if (cost.kind === "visitor") return composerCopy.costs.visitor(cost.need);
  if (cost.kind === "need") return costCopy.takes(cost.need);
  if (cost.kind === "characters") return joinClauses(costCopy.takes(cost.need), costCopy.leaves(cost.left));
  if (cost.kind === "short") return costCopy.short(cost.need, cost.left);
  if (cost.kind === "trial") return costCopy.takesTrial(cost.left);
  return cost.kind === "no-trial" ? costCopy.noTrial : "";
}
