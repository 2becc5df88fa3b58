import { composerCopy } from "~/copy/clone";
import { joinClauses } from "~/copy/format";
import { costCopy } from "~/copy/generation";
import type { Cost } from "./readiness";

/** What the press of the button takes; where it is too much, the way to more. */
export function CostLine({ cost, onBuy }: { cost: Cost; onBuy(): void }) {
  const isShort = cost.kind === "short" || cost.kind === "no-trial";
  return (
    <p className="tabular min-h-[1.25rem] text-xs text-muted" id="clone-cost">
      <span className={isShort ? "text-seal" : "text-ink"}>{sentence(cost)}</span>
      {isShort && (
        <button className="ml-2 min-h-[44px] text-gold underline underline-offset-4" onClick={onBuy} type="button">
          {cost.kind === "short" ? costCopy.buy : costCopy.join}
        </button>
      )}
    </p>
  );
}

function sentence(cost: Cost): string {
  if (cost.kind === "visitor") return composerCopy.costs.visitor(cost.need);
  if (cost.kind === "need") return costCopy.takes(cost.need);
  if (cost.kind === "characters") return joinClauses(costCopy.takes(cost.need), costCopy.leaves(cost.left));
  if (cost.kind === "short") return costCopy.short(cost.need, cost.left);
  if (cost.kind === "trial") return costCopy.takesTrial(cost.left);
  return cost.kind === "no-trial" ? costCopy.noTrial : "";
}
