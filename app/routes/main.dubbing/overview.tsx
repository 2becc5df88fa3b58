import { useMemo } from "react";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { formatClock } from "~/copy/format";
import { IconButton } from "~/ui/button";
import { WaveformBars } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { pausesOf } from "~server/contract/length-limits";
import type { LineState } from "./editor/line-status";
import { cached, countLineCharacters, isBlank, type ScriptLine } from "./editor/script";

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
