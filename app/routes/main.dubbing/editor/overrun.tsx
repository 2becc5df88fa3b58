import { overrunCopy } from "~/copy/dubbing-dialogs";
import { speedUp } from "~server/contract/limits";
import type { LineActions } from "./use-line-actions";

const choice = "min-h-[44px] px-1.5 text-ink underline underline-offset-4 hover:text-seal";

export interface OverrunProps {
  id: string;
  /** From 1. */
  place: number;
  overrunMs: number;
  speedUpMax: number | undefined;
  actions: LineActions;
}

/** A line that is longer than its subtitle though spoken faster, and what can be done. */
export function Overrun({ id, place, overrunMs, speedUpMax = speedUp.preset, actions }: OverrunProps) {
  const { shorten, faster, allow, forLine } = overrunCopy;
  const choices = [
    { label: shorten, act: () => actions.onShorten(id) },
    ...(speedUpMax < speedUp.max ? [{ label: faster, act: () => actions.onSpeedUp([id]) }] : []),
    { label: allow, act: () => actions.onTiming([id], { mayOverrun: true }) },
  ];
  return (
    <span className="flex flex-wrap items-center gap-x-1">
      <span className="tabular text-seal">{overrunCopy.over(overrunMs)}</span>
      {choices.map(({ label, act }) => (
        <button aria-label={forLine(label, place)} className={choice} key={label} onClick={act} type="button">
          {label}
        </button>
      ))}
    </span>
  );
}

interface OverrunBarProps {
  ids: readonly string[];
  onFitAll(ids: readonly string[]): void;
}

/** All lines that are longer than their subtitles, and one choice for all of them. */
export function OverrunBar({ ids, onFitAll }: OverrunBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-b border-line px-4 py-1 text-sm">
      <p className="min-w-0 flex-1 basis-40 py-1.5 text-muted">{overrunCopy.count(ids.length)}</p>
      <button className={choice} onClick={() => onFitAll(ids)} title={overrunCopy.autoHint} type="button">
        {overrunCopy.auto}
      </button>
    </div>
  );
}
