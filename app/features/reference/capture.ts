import { useRef, useState } from "react";
import { errorSentences } from "~/copy/errors";
import { uploadCopy } from "~/copy/recording";
import { loadFailureCopy } from "~/copy/site";
import { useUnfinishedPart } from "~/ui/store";
import { uploadMaxBytes } from "~server/contract/limits";
import type { MonoRecording } from "~server/contract/recording/judge";
import workletUrl from "./capture.worklet.ts?worker&url";
import type { Reference } from "./reference";

/** Reason why the microphone cannot be used. */
export type MicrophoneFault = "insecure" | "unsupported" | "denied" | "missing" | "busy";

export class MicrophoneError extends Error {
  constructor(
    readonly fault: MicrophoneFault,
    cause?: unknown,
  ) {
    super(fault, { cause });
  }
}

export interface Capture {
  /** Closes the microphone and returns all samples since the start. */
  stop(): MonoRecording;
}

interface CaptureOptions {
  /** Called about 20 times a second with the level, 0–1, and the recorded seconds. */
  onLevel(level: number, seconds: number): void;
  /** The microphone was unplugged or taken by another program. */
  onLost(): void;
}

const levelSeconds = 0.05;

/** Opens the microphone and records until `stop`. Throws `MicrophoneError`. */
export async function startCapture({ onLevel, onLost }: CaptureOptions): Promise<Capture> {
  const stream = await openMicrophone();
  const context = new AudioContext();
  const blocks: Float32Array[] = [];
  let length = 0;
  let peak = 0;
  let sinceLevel = 0;

  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(workletUrl);
    await context.resume();
    const node = new AudioWorkletNode(context, "capture", {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: "explicit",
    });
    context.createMediaStreamSource(stream).connect(node);
    node.port.onmessage = ({ data: block }: MessageEvent<Float32Array>) => {
      blocks.push(block);
      length += block.length;
      sinceLevel += block.length;
      for (const sample of block) peak = Math.max(peak, Math.abs(sample));
      if (sinceLevel < levelSeconds * context.sampleRate) return;
      onLevel(Math.sqrt(peak), length / context.sampleRate);
      peak = sinceLevel = 0;
    };
  } catch (error) {
    close();
    throw new MicrophoneError("busy", error);
  }
  stream.getAudioTracks()[0]?.addEventListener("ended", onLost);

  return {
    stop() {
      close();
      return { samples: concatenate(blocks, length), sampleRate: context.sampleRate };
    },
  };
}

async function openMicrophone(): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new MicrophoneError(window.isSecureContext ? "unsupported" : "insecure");
  try {
    // Echo cancellation and noise suppression would change the voice that is learned.
    const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true };
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "NotAllowedError" || name === "SecurityError") throw new MicrophoneError("denied", error);
    if (name === "NotFoundError" || name === "OverconstrainedError") throw new MicrophoneError("missing", error);
    throw new MicrophoneError("busy", error);
  }
}

function concatenate(blocks: Float32Array[], length: number): Float32Array {
  const samples = new Float32Array(length);
  let offset = 0;
  for (const block of blocks) {
    samples.set(block, offset);
    offset += block.length;
  }
  return samples;
}

/** Decodes and assesses a chosen file; `fault` is why it cannot be used, as a sentence. */
export function useReferenceFile(onReference: (reference: Reference) => void) {
  const [isReading, setReading] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const latest = useRef<File | null>(null);
  useUnfinishedPart(isReading);

  const read = async (file: File) => {
    latest.current = file;
    // A long file takes seconds to decode: the one chosen last counts.
    const isLatest = () => latest.current === file;
    setFault(null);
    setReading(file.size <= uploadMaxBytes);
    if (file.size > uploadMaxBytes) return setFault(errorSentences["too-large"]);
    const fault = await readFile(file, (reference) => isLatest() && onReference(reference));
    if (!isLatest()) return;
    setFault(fault);
    setReading(false);
  };
  return { isReading, fault, read };
}

/** Returns why the file cannot be used, as a sentence; null if it can. */
async function readFile(file: File, onReference: (reference: Reference) => void): Promise<string | null> {
  const code = await import("./audio").catch(() => null);
  if (!code) return loadFailureCopy.sentence;
  const { AudioTooLong, createReferenceFromFile } = code;
  try {
    const reference = await createReferenceFromFile(file);
    if (!reference) return uploadCopy.unreadable;
    onReference(reference);
    return null;
  } catch (error) {
    return error instanceof AudioTooLong ? uploadCopy.tooLong(error.seconds) : uploadCopy.unreadable;
  }
}
