import { dubGenerationCopy } from "~/copy/dubbing-records";
import { joinClauses } from "~/copy/format";
import { costCopy } from "~/copy/generation";
import { useHasCall } from "~/offer";
import { Button } from "~/ui/button";
import { ProgressBar } from "~/ui/progress-bar";
import type { Dub } from "~server/bff/generations.server";
import type { ScriptExcess } from "~server/contract/script-size";
import type { Price } from "./generation/use-price";

interface FooterProps {
  price: Price;
  isLoggedIn: boolean;
  /** The dub that is being made. */
  running: Dub | null;
  isStarting: boolean;
  isListening: boolean;
  onListen(): void;
  onMake(): void;
  onCancel(): void;
}

/** What it costs, and the two things to do: hear it, make it. */
export function Footer({
  price,
  isLoggedIn,
  running,
  isStarting,
  isListening,
  onListen,
  onMake,
  onCancel,
}: FooterProps) {
  const hasLines = price.written > 0;
  const canCancel = useHasCall("taskCancel");
  return (
    <div className="rounded-b-card bg-wash px-4 py-3.5">
      {running && (
        <div className="mb-3">
          <ProgressBar label={dubGenerationCopy.progress} value={running.progress} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-3">
        <p className="min-w-0 flex-1 basis-56 text-sm text-muted" role="status">
          {running ? <Progress dub={running} /> : <Cost isLoggedIn={isLoggedIn} price={price} />}
        </p>
        <Button disabled={!hasLines} onClick={onListen}>
          {isListening
            ? dubGenerationCopy.pauseAll
            : running
              ? dubGenerationCopy.listenDone
              : dubGenerationCopy.listenAll}
        </Button>
        {running ? (
          canCancel && (
            <Button className="flex-1 md:flex-none" onClick={onCancel}>
              {dubGenerationCopy.cancel}
            </Button>
          )
        ) : (
          <Button
            className="!min-h-[48px] flex-1 !px-6 !text-base md:flex-none"
            disabled={!hasLines}
            kind="primary"
            onClick={onMake}
            pending={isStarting}
          >
            {isStarting ? dubGenerationCopy.going : dubGenerationCopy.go}
          </Button>
        )}
      </div>
    </div>
  );
}

function Progress({ dub }: { dub: Dub }) {
  const done = dub.lines.filter(({ status }) => status === 2).length;
  return <span className="tabular">{dubGenerationCopy.progressText(done, dub.lines.length)}</span>;
}

function Cost({ price, isLoggedIn }: { price: Price; isLoggedIn: boolean }) {
  const { cost } = dubGenerationCopy;
  const { changed, written, characters, total, allowance, excess } = price;
  if (written === 0) return cost.empty;
  if (!isLoggedIn || !allowance) return cost.visitor(total);
  const { tier, left } = allowance;
  if (excess) return <span className="text-seal">{wordsOf(excess, tier)}</span>;
  if (changed === 0) return cost.nothing;
  if (tier === null && left !== null) return left > 0 ? costCopy.takesTrial(left - 1) : costCopy.noTrial;
  const part = changed === written ? cost.all(changed) : cost.changed(changed);
  if (left !== null && characters > left)
    return <span className="text-seal">{joinClauses(part, costCopy.short(characters, left))}</span>;
  return (
    <span className="tabular">
      {joinClauses(part, costCopy.takes(characters), left === null ? "" : costCopy.leaves(left - characters))}
    </span>
  );
}

function wordsOf({ line, need, limit }: ScriptExcess, tier: "vip" | "svip" | null) {
  const { cost } = dubGenerationCopy;
  if (line !== null) return cost.overLine(line + 1, need, limit);
  return tier === null ? cost.over(need, limit) : cost.overScript(need, limit);
}
