import { composerCopy as words } from "~/copy/clone";
import { joinClauses } from "~/copy/format";
import { costCopy } from "~/copy/generation";
import { usePlayer } from "~/features/player/provider";
import { askToBuy } from "~/state/dialog-requests";
import { Button, useRestoredFocus } from "~/ui/button";
import type { Allowance } from "~server/bff/accounts.server";
import type { CloneRecord } from "~server/bff/generations.server";
import { countCharacters } from "~server/contract/marks";
import { toTrack } from "../records/record-result";

interface SubmitBarProps {
  cost: Cost;
  /** The button's words while a submission is on its way; null if none is. */
  pendingText: string | null;
  /** The record that the draft would only repeat. */
  equal: CloneRecord | null;
  onGo(): void;
  /** Generates an equal record with another delivery. */
  onAgain(): void;
}

/** The button that generates, with its cost; it plays an equal record instead, and offers another delivery apart. */
export function SubmitBar({ cost, pendingText, equal, onGo, onAgain }: SubmitBarProps) {
  const player = usePlayer();
  const container = useRestoredFocus<HTMLDivElement>();
  const track = equal?.status === 2 && !pendingText ? toTrack(equal) : null;
  const isPlaying = track !== null && player.isPlaying && player.track?.url === track.url;
  const isRunning = equal?.status === 1;
  const again = track && againText(cost);
  const text = pendingText ?? (isRunning ? words.making : words.go);
  const listen = () => track && (isPlaying ? player.toggle() : player.play(track));
  return (
    <div className="flex flex-wrap gap-2 [&>*]:flex-1 max-sm:[&>*]:px-4" ref={container}>
      <Button
        aria-describedby="clone-cost"
        kind="primary"
        onClick={track ? listen : onGo}
        pending={pendingText !== null || isRunning}
        size="large"
      >
        {track ? (isPlaying ? words.same.pause : words.same.listen) : text}
      </Button>
      {again && (
        <Button onClick={onAgain} size="large">
          {again}
        </Button>
      )}
    </div>
  );
}

export type Cost =
  | { kind: "nothing" }
  /** Before anything is written. */
  | { kind: "rest"; left: number; isTrials: boolean }
  | { kind: "visitor" | "need"; need: number }
  | { kind: "characters" | "short"; need: number; left: number }
  | { kind: "trial"; left: number }
  | { kind: "no-trial" };

/** The cost of a generation in characters or trials; `left` is what remains after it. */
export function costOf(content: string, allowance: Allowance | null, isLoggedIn: boolean): Cost {
  const need = countCharacters(content);
  if (!isLoggedIn) return { kind: "visitor", need };
  if (!allowance) return { kind: "nothing" };
  const { tier, left } = allowance;
  if (need === 0) return left === null ? { kind: "nothing" } : { kind: "rest", left, isTrials: !tier };
  if (left === null) return { kind: "need", need };
  if (!tier) return left > 0 ? { kind: "trial", left: left - 1 } : { kind: "no-trial" };
  return need > left ? { kind: "short", need, left } : { kind: "characters", need, left: left - need };
}

/** Words of the button for another delivery; null if the account cannot pay for it. */
function againText(cost: Cost): string | null {
  if (cost.kind === "characters" || cost.kind === "need") return costCopy.again(cost.need);
  return cost.kind === "trial" ? costCopy.againTrial : null;
}

interface CostLineProps {
  cost: Cost;
  equal: CloneRecord | null;
  /** A job of the account runs: red words would look like its failure. */
  hasRunning: boolean;
}

/** The cost in words, with a link to buy more if it exceeds what is left; none while an equal record is made. */
export function CostLine({ cost, equal, hasRunning }: CostLineProps) {
  const isRunning = equal?.status === 1;
  const isShort = !isRunning && (cost.kind === "short" || cost.kind === "no-trial");
  const sentence = equal ? words.same.done(sentenceOf(cost)) : sentenceOf(cost);
  return (
    <p className="tabular min-h-[1.25rem] text-xs text-muted" id="clone-cost">
      <span className={isShort && !hasRunning ? "text-seal" : "text-ink"}>
        {isRunning ? words.same.running : sentence}
      </span>
      {isShort && (
        <button
          className="ml-2 min-h-[44px] text-gold underline underline-offset-4"
          onClick={() => askToBuy({ packageType: cost.kind === "short" ? 3 : "tier" })}
          type="button"
        >
          {cost.kind === "short" ? costCopy.buy : costCopy.join}
        </button>
      )}
    </p>
  );
}

function sentenceOf(cost: Cost): string {
  if (cost.kind === "rest") return costCopy[cost.isTrials ? "restTrials" : "rest"](cost.left);
  if (cost.kind === "visitor") return words.costs.visitor(cost.need);
  if (cost.kind === "need") return costCopy.takes(cost.need);
  if (cost.kind === "characters") return joinClauses(costCopy.takes(cost.need), costCopy.leaves(cost.left));
  if (cost.kind === "short") return costCopy.short(cost.need, cost.left);
  if (cost.kind === "trial") return costCopy.takesTrial(cost.left);
  return cost.kind === "no-trial" ? costCopy.noTrial : "";
}
