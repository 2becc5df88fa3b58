import { Suspense, useState } from "react";
import { formatClock } from "~/copy/format";
import { readingSentences, recordingCopy } from "~/copy/recording";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { lazyPart } from "~/ui/lazy-part";
import { useKeptFocus } from "~/ui/use-kept-focus";
import { LiveRegion } from "~/ui/visually-hidden";
import { recordingMaxSeconds } from "~server/contract/limits";
import type { Reference } from "./reference";
import { Strokes } from "./strokes";
import { type RecorderState, useRecorder } from "./use-recorder";

const ReferenceRow = lazyPart(async () => ({ default: (await import("./reference-row")).ReferenceRow }));

interface RecordPanelProps {
  reference: Reference | null;
  onReference(reference: Reference | null): void;
  onUpload(): void;
  onPlay(): void;
  /** Words that must be read, instead of one of the usual sentences. */
  sentence?: string | undefined;
  /** What the way out is called where there is no microphone; to an upload unless said otherwise. */
  wayOut?: string | undefined;
}

/** A sentence to read aloud and one button; then the take with the coach's word on it. */
export function RecordPanel(props: RecordPanelProps) {
  const { reference, onReference, onUpload, onPlay, sentence: given, wayOut = recordingCopy.toUpload } = props;
  const [chosen, setChosen] = useState(0);
  const sentence =
    given ?? reference?.transcript ?? readingSentences[chosen % readingSentences.length] ?? readingSentences[0];
  const { state, start, stop } = useRecorder({ transcript: sentence, onReference });
  const panel = useKeptFocus<HTMLDivElement>();
  const isInsecure = state.phase === "idle" && state.fault === "insecure";
  const isBusy = state.phase !== "idle";

  return (
    <div className="rounded bg-wash px-4 py-3.5" ref={panel}>
      <p className="min-h-[3.5rem] font-song text-lg font-medium leading-relaxed">{sentence}</p>
      {reference && !isBusy ? (
        <div className="mt-2">
          <Suspense fallback={<div className="h-[44px]" />}>
            <ReferenceRow
              onPlay={onPlay}
              onRetake={start}
              onTrimmed={onReference}
              reference={reference}
              retakeLabel={recordingCopy.retake}
            />
          </Suspense>
        </div>
      ) : (
        !isInsecure && (
          <RecorderRow
            onAnother={given ? undefined : () => setChosen((now) => now + 1)}
            start={start}
            state={state}
            stop={stop}
          />
        )
      )}
      {state.phase === "idle" && state.fault && (
        <div className="mt-2 flex flex-wrap items-center gap-3 border-t border-line pt-3" role="alert">
          <p className="min-w-[14em] flex-1 text-xs text-seal">{recordingCopy.microphone[state.fault]}</p>
          <Button onClick={onUpload}>{wayOut}</Button>
        </div>
      )}
      <LiveRegion>{said(state)}</LiveRegion>
    </div>
  );
}

const said = ({ phase }: RecorderState) =>
  phase === "recording" || phase === "judging" ? recordingCopy.announcements[phase] : "";

interface RecorderRowProps {
  state: RecorderState;
  start(): void;
  stop(): void;
  onAnother: (() => void) | undefined;
}

function RecorderRow({ state, start, stop, onAnother }: RecorderRowProps) {
  if (state.phase === "recording") return <Recording levels={state.levels} seconds={state.seconds} stop={stop} />;
  const isPending = state.phase !== "idle";
  return (
    <div className="mt-2 flex min-h-[44px] flex-wrap items-center gap-x-3">
      <Button kind="outline" onClick={start} pending={isPending}>
        {!isPending && <span className="h-2.5 w-2.5 rounded-full bg-seal" />}
        {state.phase === "asking" && recordingCopy.asking}
        {state.phase === "judging" && recordingCopy.judging}
        {!isPending && recordingCopy.start}
      </Button>
      <span className="hidden text-xs text-muted sm:inline">{recordingCopy.hint}</span>
      {!isPending && onAnother && (
        <Button className="ml-auto" kind="quiet" onClick={onAnother}>
          {recordingCopy.another}
        </Button>
      )}
    </div>
  );
}

function Recording({ levels, seconds, stop }: { levels: number[]; seconds: number; stop(): void }) {
  return (
    <div className="mt-2 flex min-h-[44px] flex-wrap items-center gap-3">
      <Button kind="primary" onClick={stop}>
        <Icon name="stop" size={16} />
        {recordingCopy.stop}
      </Button>
      <span className="tabular text-xs text-ink">{formatClock(seconds)}</span>
      <Strokes className="order-first basis-full text-seal sm:order-none sm:basis-0" heights={levels} />
      <span className="tabular ml-auto whitespace-nowrap text-xs text-muted">
        {recordingCopy.remaining(Math.ceil(recordingMaxSeconds - seconds))}
      </span>
    </div>
  );
}
