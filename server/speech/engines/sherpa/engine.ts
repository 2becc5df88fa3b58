import { basename } from "node:path";
import { toPcm } from "../../dsp/pcm";
import { SpeechError } from "../../engine";
import type { Backend, RemoteSpeech } from "../remote/backend";
import { findModel } from "./models";
import { createSherpaProcess, type SherpaProcess, type SherpaProcessOptions } from "./process";
import { writeSyllable } from "./syllables";

export interface SherpaBackend extends Backend {
  processId: SherpaProcess["processId"];
}

interface SherpaOptions extends SherpaProcessOptions {
  folder: string;
}

const wavHeaderBytes = 44;
/** sherpa-onnx resamples every request's reference otherwise, and reports it each time. */
const zipVoiceReference = { minSeconds: 1, maxSeconds: 10, needsText: true, sampleRate: 24_000 };

/**
 * Backend for a ZipVoice model in a folder, run by sherpa-onnx in a separate process. It clones recordings with a
 * transcript and speaks our readings.
 */
export function createSherpaBackend(options: SherpaOptions): SherpaBackend {
  const found = findModel(options.folder);
  const model = "model" in found ? found.model : null;
  const fault = "fault" in found ? found.fault : "";
  const child = createSherpaProcess(options);
  return {
    id: "sherpa",
    version: `3:${model ? "zipvoice" : "none"}:${basename(options.folder)}`,
    maxChars: 2000,
    languages: ["zh", "en"],
    reference: zipVoiceReference,
    speeds: [0.5, 2],
    write: writeSyllable,
    async *say({ text, speed, voice }: RemoteSpeech, signal) {
      if (!model) throw new SpeechError("engine", fault);
      for await (const { samples, sampleRate } of child.speak({ text, speed, voice: samplesOf(voice) }, signal)) {
        yield { pcm: toPcm(samples), sampleRate };
      }
    },
    probe: async () => model !== null && (await child.isReady()),
    processId: child.processId,
    close: child.close,
  };
}

/** Samples of the WAV that enrolment stored. */
function samplesOf({ wav, text }: RemoteSpeech["voice"]) {
  const bytes = Buffer.from(wav, "base64");
  const samples = new Float32Array((bytes.length - wavHeaderBytes) / 2);
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(wavHeaderBytes + 2 * i) / 32_768;
  return { samples, sampleRate: bytes.readUInt32LE(24), text };
}
