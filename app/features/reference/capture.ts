import workletUrl from "./capture.worklet.ts?worker&url";
import type { Take } from "./take";

/** Why there is no microphone. */
export type MicrophoneFault = "insecure" | "denied" | "missing" | "busy";

export class MicrophoneError extends Error {
  constructor(
    readonly fault: MicrophoneFault,
    cause?: unknown,
  ) {
    super(fault, { cause });
  }
}

export interface Capture {
  /** Ends the recording; what was heard so far. */
  stop(): Take;
}

interface CaptureOptions {
  /** About 20 times a second: loudness 0–1 and seconds heard so far. */
  onLevel(level: number, seconds: number): void;
  /** The microphone went away by itself (unplugged, taken by a call). */
  onLost(): void;
}

const levelSeconds = 0.05;

/** Opens the microphone and keeps every sample until `stop`. Throws MicrophoneError. */
export async function startCapture({ onLevel, onLost }: CaptureOptions): Promise<Capture> {
  const stream = await openMicrophone();
  const context = new AudioContext();
  const blocks: Float32Array[] = [];
  let heard = 0;
  let peak = 0;
  let since = 0;

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
      heard += block.length;
      since += block.length;
      for (const sample of block) peak = Math.max(peak, Math.abs(sample));
      if (since < levelSeconds * context.sampleRate) return;
      onLevel(Math.sqrt(peak), heard / context.sampleRate);
      peak = since = 0;
    };
  } catch (error) {
    close();
    throw new MicrophoneError("busy", error);
  }
  stream.getAudioTracks()[0]?.addEventListener("ended", onLost);

  return {
    stop() {
      close();
      return { samples: joined(blocks, heard), sampleRate: context.sampleRate };
    },
  };
}

async function openMicrophone(): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia) throw new MicrophoneError("insecure");
  try {
    // A voice is learned from how the room lets it sound: nothing may be filtered out of it.
    const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true };
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "NotAllowedError" || name === "SecurityError") throw new MicrophoneError("denied", error);
    if (name === "NotFoundError" || name === "OverconstrainedError") throw new MicrophoneError("missing", error);
    throw new MicrophoneError("busy", error);
  }
}

function joined(blocks: Float32Array[], length: number): Float32Array {
  const samples = new Float32Array(length);
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  return samples;
}
