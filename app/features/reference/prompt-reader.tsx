import { type ReactNode, useId } from "react";
import { proofCopy as words } from "~/copy/proof";
import { microphoneSentence } from "~/copy/recording";
import { Button, useRestoredFocus } from "~/ui/button";
import { Fault, LiveRegion } from "~/ui/feedback";
import { fileInput } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { useReferenceFile } from "./capture";
import type { Reference } from "./reference";
import { isWithoutMicrophone, Recording, useRecorder } from "./use-recorder";

export interface SpokenPrompt {
  statement: string;
  /** Words of each line. */
  lines: readonly (readonly string[])[];
}

/** The sentence and the lines to read aloud, large enough to read from an arm's length. */
export function PromptText({ statement, lines }: SpokenPrompt) {
  return (
    <section
      aria-label={words.prompt}
      className="rounded bg-wash px-4 py-4 font-song font-medium md:px-6 md:py-5"
      translate="no"
    >
      <p className="text-lg leading-relaxed md:text-xl">{statement}</p>
      <div className="mt-3 grid gap-2 border-t border-dashed border-line pt-3">
        {lines.map((line) => (
          <p className="flex flex-wrap gap-x-2 gap-y-1 text-2xl leading-snug md:gap-x-4" key={line.join("")}>
            {line.map((word) => (
              <span key={word}>{word}</span>
            ))}
          </p>
        ))}
      </div>
    </section>
  );
}

interface PromptReaderProps {
  prompt: SpokenPrompt;
  /** The prompt read aloud, from the microphone or a file. */
  onReference(reference: Reference): void;
  /** The microphone is about to open: playback should stop. */
  onStart(): void;
  /** Beside the button that starts: what plays the prompt. */
  children?: ReactNode;
}

/** Shows a prompt and records it being read aloud, or takes a file in which it was. */
export function PromptReader({ prompt, onReference, onStart, children }: PromptReaderProps) {
  const transcript = [prompt.statement, ...prompt.lines.map((line) => line.join(""))].join("");
  const { state, start, stop } = useRecorder({ transcript, onReference });
  const panel = useRestoredFocus<HTMLDivElement>();
  const open = () => {
    onStart();
    void start();
  };
  return (
    <div className="grid gap-4" ref={panel}>
      <PromptText {...prompt} />
      {state.phase === "recording" ? (
        <Recording isLarge levels={state.levels} seconds={state.seconds} stop={stop} stopLabel={words.stop} />
      ) : (
        <div className="flex min-h-[52px] flex-wrap items-center gap-x-3 gap-y-2">
          {!isWithoutMicrophone(state) && <StartButton onStart={open} phase={state.phase} />}
          {state.phase === "idle" && children}
        </div>
      )}
      <Fault className="text-sm">
        {state.phase === "idle" && state.fault && microphoneSentence(state.fault, navigator.userAgent)}
      </Fault>
      {state.phase === "idle" && <FileRow isPlain={!state.fault} onReference={onReference} />}
      <LiveRegion>{announcements[state.phase]}</LiveRegion>
    </div>
  );
}

const announcements = {
  idle: "",
  opening: "",
  recording: words.announcements.recording,
  assessing: words.assessing,
} as const;

function StartButton({ phase, onStart }: { phase: "idle" | "opening" | "assessing"; onStart(): void }) {
  const label = { idle: words.start, opening: words.asking, assessing: words.assessing }[phase];
  return (
    <Button
      icon={<Icon name="mic" size={20} />}
      kind="primary"
      onClick={onStart}
      pending={phase !== "idle"}
      size="large"
    >
      {label}
    </Button>
  );
}

/** Takes a file; `isPlain` while the microphone is the better way. */
function FileRow({ isPlain, onReference }: { isPlain: boolean; onReference(reference: Reference): void }) {
  const { isReading, fault, read } = useReferenceFile(onReference);
  const id = useId();
  return (
    <div className="grid gap-1">
      <input
        accept="audio/*,.m4a,.mp3,.wav,.flac,.ogg,.opus,.webm"
        aria-describedby={`${id}hint`}
        className="peer sr-only"
        id={id}
        {...fileInput(read)}
      />
      <div className="flex flex-wrap items-center gap-x-2 peer-focus-visible:[&>label]:outline peer-focus-visible:[&>label]:outline-2 peer-focus-visible:[&>label]:outline-offset-2 peer-focus-visible:[&>label]:outline-seal">
        <label className={`btn cursor-pointer ${isPlain ? "quiet -ml-4" : "btn-outline"}`} htmlFor={id}>
          <Icon className={isReading ? "animate-spin" : undefined} name={isReading ? "spinner" : "upload"} size={18} />
          {words.upload}
        </label>
        <span className="text-xs text-muted" id={`${id}hint`}>
          {words.uploadHint}
        </span>
      </div>
      <Fault className="text-xs">{fault}</Fault>
    </div>
  );
}
