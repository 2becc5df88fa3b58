import { useCallback, useEffect, useRef, useState } from "react";
import { formatClock } from "~/copy/format";
import { recordingCopy } from "~/copy/recording";
import { Button } from "~/ui/button";
import { Icon, WaveformBars } from "~/ui/icons/icon";
import { loadAhead } from "~/ui/lazy-part";
import { useUnfinishedPart } from "~/ui/store";
import { recordingMaxSeconds } from "~server/contract/limits";
import type { Capture, MicrophoneFault } from "./capture";
import type { Reference } from "./reference";

export type RecorderState =
  | { phase: "idle"; fault?: MicrophoneFault | "unloaded" }
  | { phase: "opening" | "assessing" }
  | { phase: "recording"; seconds: number; levels: number[] };

/** No press of the button can open a microphone here. */
export const isWithoutMicrophone = (state: RecorderState) =>
  state.phase === "idle" && (state.fault === "insecure" || state.fault === "unsupported");

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
    else if (!navigator.mediaDevices) setState({ phase: "idle", fault: "unsupported" });
    return () => {
      isUnmounted.current = true;
      capture.current?.stop();
      capture.current = null;
    };
  }, []);

  const isRecording = state.phase === "recording";
  useUnfinishedPart(isRecording || state.phase === "assessing", isRecording ? stop : undefined);
  useEffect(() => {
    if (!isRecording) return;
    document.documentElement.dataset.recording = "";
    return () => {
      delete document.documentElement.dataset.recording;
    };
  }, [isRecording]);

  return { state, start, stop };
}

interface RecordingProps extends Omit<Extract<RecorderState, { phase: "recording" }>, "phase"> {
  stop(): void;
  stopLabel?: string;
  isLarge?: boolean;
}

/** The level and the time of a recording, and the button that ends it. */
export function Recording({ levels, seconds, stop, stopLabel = recordingCopy.stop, isLarge }: RecordingProps) {
  return (
    <div className="flex min-h-[44px] flex-wrap items-center gap-3">
      <Button kind="primary" onClick={stop} size={isLarge ? "large" : "normal"}>
        <Icon name="stop" size={16} />
        {stopLabel}
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
