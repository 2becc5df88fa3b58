import { type ReactNode, useEffect, useState } from "react";
import { editorCopy } from "~/copy/dubbing";
import type { SoundState } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import type { Dub } from "~server/bff/generations.server";
import { dubLineKeyOf, type LineAudios } from "../dub";
import { isBlank, lineKeyOf, type ScriptLine } from "./script";
import { timingKeyOf } from "./timing";

/** The progress of a line. */
export type LineState =
  /** Not generated; playing the line generates it first. */
  | { kind: "none" }
  /** `doubts`: words that may be spoken wrong. */
  | { kind: "ready"; seconds: number; overrunMs: number; doubts?: readonly string[] }
  /** `share`: 0 to 1; null if unknown. */
  | { kind: "running"; share: number | null }
  /** `before`: lines ahead of this one. */
  | { kind: "queued"; before: number }
  | { kind: "failed"; sentence: string };

/** Shorter overruns are not heard. */
const heardMs = 50;
export const isOverrun = (state: LineState | undefined): state is Extract<LineState, { kind: "ready" }> =>
  state?.kind === "ready" && state.overrunMs > heardMs;

/** Whether the line is being generated or waits for it. */
export const isInProgress = (state: LineState | undefined) => state?.kind === "running" || state?.kind === "queued";

interface LineStatusProps {
  place: number;
  state: LineState;
  sound: SoundState;
  characters: number;
  className: string;
  onListen(): void;
  onRetry(): void;
  /** The menu. */
  children: ReactNode;
}

/** A line's progress or cost, its play button and its menu. */
export function LineStatus({
  place,
  state,
  sound,
  characters,
  className,
  onListen,
  onRetry,
  children,
}: LineStatusProps) {
  const isPlaying = sound === "playing";
  const isReady = state.kind === "ready";
  const label = isPlaying
    ? editorCopy.pauseLine(place)
    : isReady || characters === 0
      ? editorCopy.listen(place)
      : editorCopy.listenFor(place, characters);
  return (
    <div
      className={`-my-2 -mr-2.5 flex items-center justify-end text-xs md:my-0 md:-mr-3 md:gap-0.5 md:min-w-[148px] md:self-start ${className}`}
    >
      {state.kind === "failed" ? (
        <button
          className="min-h-[44px] max-w-[8.5rem] rounded px-1 text-right text-seal underline underline-offset-4"
          onClick={onRetry}
          title={state.sentence}
          type="button"
        >
          {`${state.sentence} ${editorCopy.state.retry}`}
        </button>
      ) : (
        <StateText characters={characters} isPlaying={isPlaying} state={state} />
      )}
      {!isInProgress(state) && (
        <button
          aria-label={label}
          className={`grid h-11 w-11 shrink-0 place-items-center rounded-full transition-colors hover:bg-wash disabled:opacity-40 ${isPlaying ? "text-celadon" : "text-seal"}`}
          disabled={characters === 0}
          onClick={onListen}
          title={label}
          type="button"
        >
          <Icon className={sound === "loading" ? "animate-spin" : undefined} name={icons[sound]} size={16} />
        </button>
      )}
      {children}
    </div>
  );
}

const icons = { silent: "play", loading: "spinner", playing: "pause" } as const;

function StateText({
  state,
  isPlaying,
  characters,
}: Pick<LineStatusProps, "state" | "characters"> & { isPlaying: boolean }) {
  const { state: copy } = editorCopy;
  if (isPlaying) return <span className="text-celadon">{copy.playing}</span>;
  switch (state.kind) {
    case "ready":
      return <span className="tabular text-celadon">{copy.made(state.seconds)}</span>;
    case "running":
      return (
        <span className="tabular flex min-h-[44px] items-center gap-2 pr-2 text-muted">
          <Ring share={state.share} />
          {state.share === null ? <ElapsedTime /> : <span>{copy.running(state.share)}</span>}
        </span>
      );
    case "queued":
      return (
        <span className="tabular flex min-h-[44px] items-center pr-2 text-muted">{copy.waiting(state.before)}</span>
      );
    default:
      return characters > 0 ? <span className="tabular text-muted">{editorCopy.characters(characters)}</span> : null;
  }
}

/** For a line of one segment, whose share is unknown. Hidden in the first second. */
function ElapsedTime() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span>
      {editorCopy.state.making}
      {seconds > 1 && <span aria-hidden="true">{` ${editorCopy.state.for(seconds)}`}</span>}
    </span>
  );
}

const circumference = 2 * Math.PI * 7;

function Ring({ share }: { share: number | null }) {
  return (
    <svg
      aria-hidden="true"
      className={share === null ? "animate-spin" : "[rotate:-90deg]"}
      fill="none"
      height="18"
      strokeWidth="3"
      viewBox="0 0 18 18"
      width="18"
    >
      <circle className="stroke-line" cx="9" cy="9" r="7" />
      <circle
        className="stroke-seal"
        cx="9"
        cy="9"
        r="7"
        strokeDasharray={`${circumference * (share ?? 0.3)} ${circumference}`}
      />
    </svg>
  );
}

/** The states of the script's lines by id. Of two dubs with the same line the first one in `dubs` counts. */
export function toLineStates(
  lines: readonly ScriptLine[],
  audios: LineAudios,
  dubs: readonly Dub[],
  failureOf: (dub: Dub) => string,
): Map<string, LineState> {
  const pending = toPendingStates(dubs, failureOf);
  const states = new Map<string, LineState>();
  for (const line of lines) {
    if (isBlank(line)) continue;
    const key = lineKeyOf(line);
    const audio = audios.get(key);
    const state: LineState | undefined = audio
      ? {
          kind: "ready",
          seconds: audio.seconds,
          overrunMs: line.mayOverrun ? 0 : (audio.overruns?.[timingKeyOf(line) ?? ""] ?? 0),
          ...(audio.doubts && { doubts: audio.doubts }),
        }
      : pending.get(key);
    if (state) states.set(line.id, state);
  }
  return states;
}

function toPendingStates(dubs: readonly Dub[], failureOf: (dub: Dub) => string): Map<string, LineState> {
  const pending = new Map<string, LineState>();
  for (const dub of [...dubs].reverse()) {
    if (dub.status === 3) {
      const failed = dub.lines[dub.failedAt ?? -1] ?? dub.lines.find(({ status }) => status === 3);
      if (failed && dub.reason !== "cancelled")
        pending.set(dubLineKeyOf(failed), { kind: "failed", sentence: failureOf(dub) });
    }
    if (dub.status !== 1) continue;
    const waiting = new Map(dub.lines.filter(({ status }) => status === 1).map((line) => [dubLineKeyOf(line), line]));
    [...waiting].forEach(([key, line], index) => {
      const before = dub.queuePos + index;
      pending.set(key, before === 0 ? { kind: "running", share: shareOf(line) } : { kind: "queued", before });
    });
  }
  return pending;
}

/** The finished share of a running line; null for a line of one segment. */
const shareOf = ({ segDone, segTotal }: Dub["lines"][number]) => (segTotal > 1 ? segDone / segTotal : null);
