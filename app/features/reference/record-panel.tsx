import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { formatClock } from "~/copy/format";
import { readingSentences, recordingCopy } from "~/copy/recording";
import { Button, useRestoredFocus } from "~/ui/button";
import { LiveRegion } from "~/ui/feedback";
import { Icon, WaveformBars } from "~/ui/icons/icon";
import { lazyPart, loadAhead } from "~/ui/lazy-part";
import { useUnfinishedPart } from "~/ui/store";
import { recordingMaxSeconds } from "~server/contract/limits";
import type { Capture, MicrophoneFault } from "./capture";
import type { Reference } from "./reference";

const ReferenceRow = lazyPart(async () => ({ default: (await import("./reference-row")).ReferenceRow }));

interface RecordPanelProps {
  reference: Reference | null;
  onReference(reference: Reference | null): void;
  /** The user chose the alternative to the microphone. */
  onUpload(): void;
  onPlay(): void;
  /** A required sentence, shown instead of the examples. */
  sentence?: string | undefined;
  /** Examples long enough for a proof of the voice. */
  isLong?: boolean | undefined;
  /** Label of the alternative to the microphone. */
  uploadLabel?: string | undefined;
}

const longReadings = [0, 2].map((first) => readingSentences.slice(first, first + 2).join(""));

/** Records a sentence that the user reads aloud, then shows the recording with its assessment. */
export function RecordPanel(props: RecordPanelProps) {
  const { reference, onReference, onUpload, onPlay, sentence: required, isLong } = props;
  const { uploadLabel = recordingCopy.toUpload } = props;
  const [example, setExample] = useState(0);
  const examples = isLong ? longReadings : readingSentences;
  const sentence = required ?? reference?.transcript ?? examples[example % examples.length] ?? readingSentences[0];
  const { state, start, stop } = useRecorder({ transcript: sentence, onReference });
  useUnfinishedPart(state.phase === "assessing");
  const panel = useRestoredFocus<HTMLDivElement>();
  const isInsecure = state.phase === "idle" && state.fault === "insecure";
  const isBusy = state.phase !== "idle";

  return (
    <div className="rounded bg-wash px-4 py-3.5" ref={panel}>
      <p className="min-h-[3.5rem] font-song text-lg font-medium leading-relaxed" translate="no">
        {sentence}
      </p>
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
            hint={isLong ? recordingCopy.longHint : recordingCopy.hint}
            onNextExample={required ? undefined : () => setExample((now) => now + 1)}
            start={start}
            state={state}
            stop={stop}
          />
        )
      )}
      {state.phase === "idle" && state.fault && (
        <div className="mt-2 flex flex-wrap items-center gap-3 border-t border-line pt-3" role="alert">
          <p className="min-w-[14em] flex-1 text-xs text-seal">{recordingCopy.microphone[state.fault]}</p>
          <Button onClick={onUpload}>{uploadLabel}</Button>
        </div>
      )}
      <LiveRegion>
        {state.phase === "recording" || state.phase === "assessing" ? announcements[state.phase] : ""}
      </LiveRegion>
    </div>
  );
}

const announcements = {
  recording: recordingCopy.announcements.recording,
  assessing: recordingCopy.announcements.judging,
};

interface RecorderRowProps {
  state: RecorderState;
  start(): void;
  stop(): void;
  onNextExample: (() => void) | undefined;
  hint: string;
}

function RecorderRow({ state, start, stop, onNextExample, hint }: RecorderRowProps) {
  if (state.phase === "recording") return <Recording levels={state.levels} seconds={state.seconds} stop={stop} />;
  const isPending = state.phase !== "idle";
  return (
    <div className="mt-2 flex min-h-[44px] flex-wrap items-center gap-x-3">
      <Button
        icon={<span className="h-2.5 w-2.5 rounded-full bg-seal" />}
        kind="outline"
        onClick={start}
        pending={isPending}
      >
        {state.phase === "opening" ? recordingCopy.asking : isPending ? recordingCopy.judging : recordingCopy.start}
      </Button>
      <span className="hidden text-xs text-muted sm:inline">{hint}</span>
      {!isPending && onNextExample && (
        <Button className="ml-auto" kind="quiet" onClick={onNextExample}>
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
      <span className="tabular text-xs text-ink" translate="no">
        {formatClock(seconds)}
      </span>
      <WaveformBars className="order-first basis-full text-seal sm:order-none sm:basis-0" heights={levels} />
      <span className="tabular ml-auto whitespace-nowrap text-xs text-muted">
        {recordingCopy.remaining(Math.ceil(recordingMaxSeconds - seconds))}
      </span>
    </div>
  );
}

export type RecorderState =
  | { phase: "idle"; fault?: MicrophoneFault | "unloaded" }
  | { phase: "opening" | "assessing" }
  | { phase: "recording"; seconds: number; levels: number[] };

const silentLevels = Array.from({ length: 64 }, () => 0);
const levelsOf = (state: RecorderState) => (state.phase === "recording" ? state.levels : silentLevels);

interface RecorderOptions {
  transcript: string;
  onReference(reference: Reference): void;
}

const loadRecorder = () => Promise.all([import("./capture"), import("./audio")]);
loadAhead(loadRecorder);

/** Records from the microphone into a reference. The assessment's code loads before the recording that it follows. */
export function useRecorder({ transcript, onReference }: RecorderOptions) {
  const [state, setState] = useState<RecorderState>({ phase: "idle" });
  const capture = useRef<Capture | null>(null);
  const isUnmounted = useRef(false);

  const stop = useCallback(async () => {
    const recorded = capture.current?.stop();
    capture.current = null;
    if (!recorded) return;
    setState({ phase: "assessing" });
    const { createReference } = await import("./audio");
    const reference = await createReference(recorded, { name: recordingCopy.fileName, transcript });
    if (isUnmounted.current) return;
    setState({ phase: "idle" });
    onReference(reference);
  }, [transcript, onReference]);

  const start = useCallback(async () => {
    setState({ phase: "opening" });
    const code = await loadRecorder().catch(() => null);
    if (!code) return setState({ phase: "idle", fault: "unloaded" });
    const [{ startCapture, MicrophoneError }] = code;
    try {
      const opened = await startCapture({
        onLevel: (level, seconds) => {
          // A block may arrive after the recording was stopped.
          if (!capture.current) return;
          if (seconds >= recordingMaxSeconds) return void stop();
          setState((now) => ({ phase: "recording", seconds, levels: [...levelsOf(now).slice(1), level] }));
        },
        onLost: () => void stop(),
      });
      if (isUnmounted.current) return void opened.stop();
      capture.current = opened;
      setState({ phase: "recording", seconds: 0, levels: silentLevels });
    } catch (error) {
      setState({ phase: "idle", fault: error instanceof MicrophoneError ? error.fault : "unloaded" });
    }
  }, [stop]);

  useEffect(() => {
    isUnmounted.current = false;
    if (!window.isSecureContext) setState({ phase: "idle", fault: "insecure" });
    return () => {
      isUnmounted.current = true;
      capture.current?.stop();
      capture.current = null;
    };
  }, []);

  return { state, start, stop };
}
