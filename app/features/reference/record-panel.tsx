import { Suspense, useState } from "react";
import { microphoneSentence, readingSentences, recordingCopy } from "~/copy/recording";
import { Button, useRestoredFocus } from "~/ui/button";
import { LiveRegion } from "~/ui/feedback";
import { lazyPart } from "~/ui/lazy-part";
import type { Reference } from "./reference";
import { isWithoutMicrophone, type RecorderState, Recording, useRecorder } from "./use-recorder";

const ReferenceRow = lazyPart(async () => ({ default: (await import("./reference-row")).ReferenceRow }));

interface RecordPanelProps {
  reference: Reference | null;
  onReference(reference: Reference | null): void;
  /** The user chose the alternative to the microphone. */
  onUpload(): void;
  /** The recording is about to play, or the microphone to open: other playback should stop. */
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
  const { state, stop, ...recorder } = useRecorder({ transcript: sentence, onReference });
  const start = () => {
    onPlay();
    void recorder.start();
  };
  const panel = useRestoredFocus<HTMLDivElement>();
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
              onEdited={onReference}
              reference={reference}
              retakeLabel={recordingCopy.retake}
            />
          </Suspense>
        </div>
      ) : (
        !isWithoutMicrophone(state) && (
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
          <p className="min-w-[14em] flex-1 text-xs text-seal">
            {microphoneSentence(state.fault, navigator.userAgent)}
          </p>
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
  if (state.phase === "recording")
    return (
      <div className="mt-2">
        <Recording levels={state.levels} seconds={state.seconds} stop={stop} />
      </div>
    );
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
