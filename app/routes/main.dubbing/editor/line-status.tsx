import { type ReactNode, useEffect, useState } from "react";
import { editorCopy } from "~/copy/dubbing";
import { Icon } from "~/ui/icons/icon";
import type { LineSound, LineState } from "./state";

interface LineEndProps {
  place: number;
  state: LineState;
  sound: LineSound;
  characters: number;
  className: string;
  onListen(): void;
  onRetry(): void;
  /** Its menu. */
  children: ReactNode;
}

/** How far the line is, and the button that lets it be heard; what hearing it costs stands beside it. */
export function LineEnd({ place, state, sound, characters, className, onListen, onRetry, children }: LineEndProps) {
  const isPlaying = sound === "playing";
  const isMade = state.kind === "made";
  const isBusy = state.kind === "running" || state.kind === "waiting";
  const label = isPlaying
    ? editorCopy.pauseLine(place)
    : isMade || characters === 0
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
          {state.sentence} {editorCopy.state.retry}
        </button>
      ) : (
        <StateWords characters={characters} isPlaying={isPlaying} state={state} />
      )}
      {!isBusy && (
        <button
          aria-label={label}
          className={`grid h-11 w-11 shrink-0 place-items-center rounded-full transition-colors hover:bg-wash disabled:opacity-40 ${isPlaying ? "text-celadon" : "text-seal"}`}
          disabled={characters === 0}
          onClick={onListen}
          title={label}
          type="button"
        >
          <Icon className={sound === "loading" ? "animate-spin" : undefined} name={icon(sound)} size={16} />
        </button>
      )}
      {children}
    </div>
  );
}

const icon = (sound: LineSound) =>
  ({ silent: "play", loading: "spinner", playing: "pause" })[sound] as "play" | "spinner" | "pause";

function StateWords({
  state,
  isPlaying,
  characters,
}: Pick<LineEndProps, "state" | "characters"> & { isPlaying: boolean }) {
  const { state: words } = editorCopy;
  if (isPlaying) return <span className="text-celadon">{words.playing}</span>;
  switch (state.kind) {
    case "made":
      return <span className="tabular text-celadon">{words.made(state.seconds)}</span>;
    case "running":
      return (
        <span className="tabular flex min-h-[44px] items-center gap-2 pr-2 text-muted">
          <Ring share={state.share} />
          {state.share === null ? <Making /> : words.running(state.share)}
        </span>
      );
    case "waiting":
      return (
        <span className="tabular flex min-h-[44px] items-center pr-2 text-muted">{words.waiting(state.before)}</span>
      );
    default:
      return characters > 0 ? <span className="tabular text-muted">{editorCopy.characters(characters)}</span> : null;
  }
}

/** A line that comes as a whole has no share to tell: only how long it has been, once that is worth telling. */
function Making() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span>
      {editorCopy.state.making}
      {seconds > 1 && <span aria-hidden="true"> {editorCopy.state.for(seconds)}</span>}
    </span>
  );
}

const around = 2 * Math.PI * 7;

function Ring({ share }: { share: number | null }) {
  return (
    <svg
      aria-hidden="true"
      className={share === null ? "animate-spin" : "-rotate-90"}
      fill="none"
      height="18"
      strokeWidth="3"
      viewBox="0 0 18 18"
      width="18"
    >
      <circle className="stroke-line" cx="9" cy="9" r="7" />
      <circle className="stroke-seal" cx="9" cy="9" r="7" strokeDasharray={`${around * (share ?? 0.3)} ${around}`} />
    </svg>
  );
}
