import { useCallback, useEffect, useRef, useState } from "react";
import { recordingMaxSeconds } from "~server/contract/limits";
import type { Capture, MicrophoneFault } from "./capture";
import type { Reference } from "./reference";

export type RecorderState =
  | { phase: "idle"; fault?: MicrophoneFault | "unloaded" }
  | { phase: "asking" }
  | { phase: "recording"; seconds: number; levels: number[] }
  | { phase: "judging" };

const shownLevels = 64;
const still = Array.from({ length: shownLevels }, () => 0);

interface Options {
  transcript: string;
  onReference(reference: Reference): void;
}

/** With what judges the take, so that a recording is never made in vain; null where the network does not bring it. */
const loadRecorder = () => Promise.all([import("./capture"), import("./examine")]).catch(() => null);

/** Microphone → take → coach → reference. The recorder's code arrives with the first recording. */
export function useRecorder({ transcript, onReference }: Options) {
  const [state, setState] = useState<RecorderState>({ phase: "idle" });
  const capture = useRef<Capture | null>(null);
  const isGone = useRef(false);

  const stop = useCallback(async () => {
    const take = capture.current?.stop();
    capture.current = null;
    if (!take) return;
    setState({ phase: "judging" });
    const { referenceOf } = await import("./examine");
    const reference = await referenceOf(take, { name: "recording.wav", transcript });
    if (isGone.current) return;
    setState({ phase: "idle" });
    onReference(reference);
  }, [transcript, onReference]);

  const start = useCallback(async () => {
    setState({ phase: "asking" });
    const code = await loadRecorder();
    if (!code) return setState({ phase: "idle", fault: "unloaded" });
    const [{ startCapture, MicrophoneError }] = code;
    try {
      const opened = await startCapture({
        onLevel: (level, seconds) => {
          // Blocks that were on their way when it was stopped are late.
          if (!capture.current) return;
          if (seconds >= recordingMaxSeconds) return void stop();
          setState((now) => ({ phase: "recording", seconds, levels: [...levelsOf(now).slice(1), level] }));
        },
        onLost: () => void stop(),
      });
      if (isGone.current) return void opened.stop();
      capture.current = opened;
      setState({ phase: "recording", seconds: 0, levels: still });
    } catch (error) {
      setState({ phase: "idle", fault: error instanceof MicrophoneError ? error.fault : "unloaded" });
    }
  }, [stop]);

  useEffect(() => {
    isGone.current = false;
    if (!window.isSecureContext) setState({ phase: "idle", fault: "insecure" });
    return () => {
      isGone.current = true;
      capture.current?.stop();
      capture.current = null;
    };
  }, []);

  return { state, start, stop };
}

const levelsOf = (state: RecorderState) => (state.phase === "recording" ? state.levels : still);
