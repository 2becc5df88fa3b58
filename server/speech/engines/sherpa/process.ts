import { SpeechError } from "../../engine";
import { createModelProcess } from "../model-process";
import type { MeasuredSpeed, Samples, SherpaPart, SherpaSpeech, SherpaTranscript, SherpaWork } from "./models";

export interface SherpaProcess {
  /** Streams parts; ends soon after an abort. Throws SpeechError. */
  speak(input: SherpaSpeech, signal: AbortSignal): AsyncGenerator<Samples>;
  /** Transcribes a recording. Throws SpeechError. */
  transcribe(recording: Samples, signal?: AbortSignal): Promise<SherpaTranscript>;
  /** The vector of a voice. Throws SpeechError. */
  embed(recording: Samples, signal?: AbortSignal): Promise<Float32Array>;
  /** True if the models were loaded; starts the process if needed. */
  isReady(): Promise<boolean>;
  processId(): number | undefined;
  close(): void;
}

/** The arguments of the process. */
export interface SherpaProcessOptions {
  /** Contains a voice model; without one the process does not speak. */
  folder?: string | undefined;
  /** Contains a recogniser. */
  recogniser?: string | undefined;
  /** Contains a speaker model. */
  speaker?: string | undefined;
  /** Resident memory above which an idle process ends, and starts again with the next request. */
  maxMegabytes?: number;
  /** Instead of what the installation measured. */
  speed?: MeasuredSpeed;
  /** Shorter sentences are spoken together with the next: a model needs context, a listener the first sound. */
  minCharacters?: number;
}

/** A process with loaded models that starts on demand, restarts after a crash and handles one request at a time. */
export function createSherpaProcess(options: SherpaProcessOptions): SherpaProcess {
  const { run, ...process } = createModelProcess<SherpaWork, SherpaPart>({
    title: "sherpa-onnx",
    program: ["./speech/engines/sherpa", "sherpa-child"],
    argument: options,
  });
  return {
    ...process,
    async *speak(input, signal) {
      for await (const part of run({ kind: "speak", ...input }, signal)) if ("samples" in part) yield part;
    },
    async transcribe(recording, signal = never) {
      for await (const part of run({ kind: "transcribe", ...recording }, signal))
        if ("transcript" in part) return part.transcript;
      throw new SpeechError("engine", "sherpa-onnx returned no transcript");
    },
    async embed(recording, signal = never) {
      for await (const part of run({ kind: "embed", ...recording }, signal))
        if ("embedding" in part) return part.embedding;
      throw new SpeechError("engine", "sherpa-onnx returned no embedding");
    },
  };
}

const never = new AbortController().signal;
