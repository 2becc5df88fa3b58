import { useMemo } from "react";
import { importCopy, sceneOfferCopy } from "~/copy/dubbing";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { formatClock, joinClauses } from "~/copy/format";
import { costCopy } from "~/copy/generation";
import { useAccount } from "~/features/account/provider";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/offer";
import { Button, Chip, IconButton } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import { WaveformBars } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import type { Dub } from "~server/bff/generations.server";
import { pausesOf, type ScriptExcess } from "~server/contract/length-limits";
import { countFinishedLines } from "./dub";
import type { LineState } from "./editor/line-status";
import { cached, countLineCharacters, isBlank, type ScriptLine } from "./editor/script";
import type { Price } from "./use-generation";

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
  const isBusy = isStarting || running !== null;
  return (
    <div className="rounded-b-card bg-wash px-4 py-3.5">
      {running && (
        <div className="mb-1 flex items-center gap-3">
          <div className="flex-1">
            <ProgressBar label={dubGenerationCopy.progress} value={running.progress} />
          </div>
          {canCancel && <Button onClick={onCancel}>{dubGenerationCopy.cancel}</Button>}
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
        {/* Stays while the dub is made: a second press must not meet another button in its place. */}
        <Button
          className="!min-h-[48px] flex-1 !px-6 !text-base md:flex-none"
          disabled={!hasLines}
          kind="primary"
          onClick={onGenerate}
          pending={isBusy}
        >
          {isBusy ? dubGenerationCopy.going : dubGenerationCopy.go}
        </Button>
      </div>
    </div>
  );
}

function Progress({ dub }: { dub: Dub }) {
  return <span className="tabular">{dubGenerationCopy.progressText(countFinishedLines(dub), dub.lines.length)}</span>;
}

function Cost({ price }: { price: Price }) {
  const { isLogin } = useAccount().account;
  const { text, isShort } = costOf(price, isLogin);
  return <span className={`tabular ${isShort ? "text-seal" : ""}`}>{text}</span>;
}

function costOf(price: Price, isLogin: boolean): { text: string; isShort?: true } {
  const { cost } = dubGenerationCopy;
  const { changed, written, characters, total, allowance, excess, isQuoted } = price;
  if (written === 0) return { text: cost.empty };
  if (!isLogin || !allowance) return { text: cost.visitor(total) };
  const { tier, left } = allowance;
  if (excess) return { text: excessText(excess, tier), isShort: true };
  if (changed === 0) return { text: isQuoted ? cost.nothing : cost.all(written) };
  if (tier === null && left !== null) return { text: left > 0 ? costCopy.takesTrial(left - 1) : costCopy.noTrial };
  const part = changed === written ? cost.all(changed) : cost.changed(changed);
  if (left !== null && characters > left)
    return { text: joinClauses(part, costCopy.short(characters, left)), isShort: true };
  const leaves = left === null ? "" : costCopy.leaves(left - characters);
  return { text: joinClauses(part, costCopy.takes(characters), leaves) };
}

function excessText({ line, need, limit }: ScriptExcess, tier: "vip" | "svip" | null) {
  const { cost } = dubGenerationCopy;
  if (line !== null) return cost.overLine(line + 1, need, limit);
  return tier === null ? cost.over(need, limit) : cost.overScript(need, limit);
}

/** Average length of a character in the square's voices at speed 1. */
const characterSeconds = 0.24;
const overviewBars = 120;

interface OverviewProps {
  lines: readonly ScriptLine[];
  states: ReadonlyMap<string, LineState>;
  onLine(id: string): void;
  onFind(): void;
}

/** The length of the whole script, drawn: generated lines in green. A press on it goes to the line at that time. */
export function Overview({ lines, states, onLine, onFind }: OverviewProps) {
  const { parts, seconds, isExact, bars } = useMemo(() => measure(lines, states), [lines, states]);
  if (parts.length < 2) return null;
  const partAt = (at: number) => parts.find(({ end }) => at < end) ?? parts.at(-1);
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-3 py-1 text-xs text-muted md:px-4">
      <span className="tabular shrink-0">
        {dubGenerationCopy.length(isExact ? "" : dubGenerationCopy.about, formatClock(seconds))}
      </span>
      <span className="relative flex min-w-0 flex-1 items-center rounded-sm text-edge focus-within:outline focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-ink">
        <WaveformBars bright={bars.map(({ isReady }) => isReady)} heights={bars.map(({ height }) => height)} />
        <input
          aria-label={dubGenerationCopy.overview}
          aria-valuetext={dubGenerationCopy.overviewLine(parts[0]?.number ?? 1)}
          className="absolute inset-x-0 -inset-y-2 h-11 w-full cursor-pointer opacity-0"
          defaultValue={0}
          max={seconds}
          min={0}
          onChange={({ target }) => {
            const part = partAt(Number(target.value));
            target.setAttribute("aria-valuetext", dubGenerationCopy.overviewLine(part?.number ?? 1));
            if (part) onLine(part.id);
          }}
          step={seconds / parts.length}
          type="range"
        />
      </span>
      <span className="tabular shrink-0 max-sm:hidden">{dubGenerationCopy.lines(parts.length)}</span>
      <IconButton aria-keyshortcuts="Control+F" label={dubGenerationCopy.find} onClick={onFind}>
        <ToolIcon name="search" size={18} />
      </IconButton>
    </div>
  );
}

const cachedPauses = new WeakMap<ScriptLine, number>();

/** End of each line, and bars over the whole script: a syllable is a stroke, a punctuation mark a gap. */
function measure(lines: readonly ScriptLine[], states: ReadonlyMap<string, LineState>) {
  let end = 0;
  let isExact = true;
  const parts = lines.flatMap((line, index) => {
    if (isBlank(line)) return [];
    const state = states.get(line.id);
    const isReady = state?.kind === "ready";
    const isMeasured = isReady && state.seconds > 0;
    isExact &&= isMeasured;
    const start = Math.max(end, (line.startMs ?? 0) / 1000);
    const pauses = isReady ? (line.pauseAfter ?? 0) : cached(cachedPauses, line, pausesOf) / 1000;
    const spoken = isMeasured ? state.seconds : (countLineCharacters(line) * characterSeconds) / line.speed;
    end = start + spoken + pauses;
    return [{ id: line.id, number: index + 1, content: line.content, start, end, isReady }];
  });
  let place = 0;
  const bars = Array.from({ length: overviewBars }, (_, index) => {
    const at = ((index + 0.5) / overviewBars) * end;
    while (parts[place] && at >= (parts[place]?.end ?? 0)) place++;
    const part = parts[place];
    if (!part || at < part.start) return { height: 0, isReady: false };
    const letter = Math.floor(((at - part.start) / (part.end - part.start)) * part.content.length);
    const code = part.content.charCodeAt(letter);
    const isSilent = /[\s\p{P}#]/u.test(part.content.charAt(letter));
    return { height: isSilent ? 0.1 : 0.3 + ((code * 37) % 64) / 92, isReady: part.isReady };
  });
  return { parts, seconds: end, isExact, bars };
}

interface SceneOfferProps {
  onScene(text: string): void;
}

/** Scripts to begin with, in one press. */
export function SceneOffer({ onScene }: SceneOfferProps) {
  const choose = (name: keyof typeof sceneOfferCopy.scenes) =>
    import("~/copy/scenes").then(
      ({ scenes }) => onScene(scenes[name].join("\n")),
      () => notify({ kind: "error", text: importCopy.sceneFailed }),
    );
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 border-b border-line px-4 py-3">
      <span className="mr-1 text-sm text-muted">{sceneOfferCopy.heading}</span>
      {Object.entries(sceneOfferCopy.scenes).map(([name, label]) => (
        <Chip key={name} onClick={() => void choose(name as keyof typeof sceneOfferCopy.scenes)}>
          {label}
        </Chip>
      ))}
    </div>
  );
}
