import { useEffect, useMemo, useState } from "react";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { joinClauses } from "~/copy/format";
import { costCopy } from "~/copy/generation";
import { useAccount } from "~/features/account/provider";
import { useHasCall } from "~/offer";
import { Button } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import type { Dub } from "~server/bff/generations.server";
import { findScriptExcess, type ScriptExcess } from "~server/contract/length-limits";
import { countFinishedLines, type Quote, quoteDub } from "./dub";
import { computeCost, countLineCharacters, isBlank, lineKeyOf, type ScriptLine } from "./editor/script";
import { type Generation, toDubLine } from "./use-generation";

export type Allowance = Pick<Quote, "tier" | "limit" | "left">;

/** The cost of the script: the server's quote once it has arrived, until then this page's own count. */
export interface Price {
  /** Lines to generate, of the `written` ones. */
  changed: number;
  written: number;
  /** Characters to pay. */
  characters: number;
  /** Characters of the whole script. */
  total: number;
  allowance: Allowance | null;
  /** The first limit that the script exceeds; its line index counts blank lines too. */
  excess: ScriptExcess | null;
}

interface PriceOptions {
  /** As loaded with the page. */
  allowance: Allowance | null;
  /** Whether the server is asked for quotes. */
  hasQuotes: boolean;
}

const settleMs = 500;

/** The cost of the script now; asks the server shortly after the last change. */
export function usePrice(
  lines: readonly ScriptLine[],
  { audios, priceVersion }: Generation,
  { allowance, hasQuotes }: PriceOptions,
): Price {
  const written = useMemo(() => lines.filter((line) => !isBlank(line)), [lines]);
  const [quoted, setQuoted] = useState<{ key: string; quote: Quote } | null>(null);
  const key = useMemo(() => `${priceVersion} ${written.map(lineKeyOf).join()}`, [priceVersion, written]);
  const isComplete = written.length > 0 && written.every(({ roleId }) => roleId !== "");

  useEffect(() => {
    if (!hasQuotes || !isComplete) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      quoteDub(written.map(toDubLine), controller.signal).then(
        (quote) => setQuoted({ key, quote }),
        // Without a quote the page's own count stays.
        () => {},
      );
    }, settleMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, written, hasQuotes, isComplete]);

  return useMemo(() => {
    const quote = quoted?.key === key ? quoted.quote : null;
    const own = computeCost(written, audios);
    const latestAllowance = quoted?.quote ?? allowance;
    return {
      changed: (quote ?? own).changed.length,
      written: written.length,
      characters: quote ? quote.costChar : own.characters,
      total: written.reduce((total, line) => total + countLineCharacters(line), 0),
      allowance: latestAllowance,
      excess: latestAllowance && findScriptExcess(lines.map(countLineCharacters), latestAllowance),
    };
  }, [quoted, key, lines, written, audios, allowance]);
}

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
