import { basename } from "node:path";
import { toPcm } from "../../dsp/pcm";
import { SpeechError } from "../../engine";
import type { Backend, RemoteSpeech } from "../remote/remote-engine";
import { findModel } from "./models";
import { createSherpaProcess, type SherpaProcess } from "./process";

export interface SherpaBackend extends Backend {
  processId: SherpaProcess["processId"];
}

const wavHeaderBytes = 44;

/**
 * Backend for sherpa-onnx models in a folder, in a separate process. ZipVoice clones recordings with a transcript; the other
 * families have fixed voices and are selected by style.
 */
export function createSherpaBackend({ folder }: { folder: string }): SherpaBackend {
  const model = findModel(folder);
  const child = createSherpaProcess(folder);
  return {
    id: "sherpa",
    version: `1:${model?.family ?? "none"}:${basename(folder)}`,
    maxChars: 2000,
    languages: ["zh", "en"],
    reference: model?.clones === false ? null : { minSeconds: 1, maxSeconds: 10, needsText: true },
    speeds: [0.5, 2],
    async *say({ text, speed, voice }: RemoteSpeech, signal) {
      if (!model) throw new SpeechError("engine", `${folder} contains no known model`);
      const reference = model.clones ? samplesOf(voice) : null;
      for await (const { samples, sampleRate } of child.speak({ text, speed, voice: reference }, signal)) {
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
