import { dubGenerationCopy } from "~/copy/dubbing-records";
import { joinClauses } from "~/copy/format";
import { costCopy } from "~/copy/generation";
import { useAccount } from "~/features/account/provider";
import { useHasCall } from "~/offer";
import { Button } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import type { Dub } from "~server/bff/generations.server";
import type { ScriptExcess } from "~server/contract/length-limits";
import { countFinishedLines } from "./dub";
import type { Price } from "./use-price";

interface FooterProps {
  price: Price;
  running: Dub | null;
  isStarting: boolean;
  isPlaying: boolean;
  onListen(): void;
  onGenerate(): void;
  onCancel(): void;
}

/** The price, and the buttons that play and generate the script. */
export function Footer({ price, running, isStarting, isPlaying, onListen, onGenerate, onCancel }: FooterProps) {
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
          {running ? <Progress dub={running} /> : <Cost price={price} />}
        </p>
        <Button disabled={!hasLines} onClick={onListen}>
          {isPlaying
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
            onClick={onGenerate}
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
  return <span className="tabular">{dubGenerationCopy.progressText(countFinishedLines(dub), dub.lines.length)}</span>;
}

function Cost({ price }: { price: Price }) {
  const { isLogin } = useAccount().account;
  const { cost } = dubGenerationCopy;
  const { changed, written, characters, total, allowance, excess } = price;
  if (written === 0) return cost.empty;
  if (!isLogin || !allowance) return cost.visitor(total);
  const { tier, left } = allowance;
  if (excess) return <span className="text-seal">{excessText(excess, tier)}</span>;
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

function excessText({ line, need, limit }: ScriptExcess, tier: "vip" | "svip" | null) {
  const { cost } = dubGenerationCopy;
  if (line !== null) return cost.overLine(line + 1, need, limit);
  return tier === null ? cost.over(need, limit) : cost.overScript(need, limit);
}
