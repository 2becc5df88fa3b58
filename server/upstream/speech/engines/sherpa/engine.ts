import { basename } from "node:path";
import { SpeechError } from "../../engine";
import type { Backend, RemoteSpeech } from "../remote/remote-engine";
import { findModel } from "./models";
import { createSherpaProcess, type SherpaProcess } from "./process";

export interface SherpaBackend extends Backend {
  processId: SherpaProcess["processId"];
}

const wavHeaderBytes = 44;

/**
 * Models that the operator put into a folder, run by sherpa-onnx in a process of their own. ZipVoice speaks in the voice of
 * a recording whose words are known; the other families have voices of their own and speak when a style asks for them.
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
      if (!model) throw new SpeechError("engine", `${folder} holds no model of a family that is known`);
      const shown = model.clones ? samplesOf(voice) : null;
      for await (const { samples, sampleRate } of child.speak({ text, speed, voice: shown }, signal)) {
        const pcm = Int16Array.from(samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
        yield { pcm, sampleRate };
      }
    },
    probe: async () => model !== null && (await child.isReady()),
    processId: child.processId,
    close: child.close,
  };
}

/** Of the WAV that enrolment wrote. */
function samplesOf({ wav, text }: RemoteSpeech["voice"]) {
  const bytes = Buffer.from(wav, "base64");
  const samples = new Float32Array((bytes.length - wavHeaderBytes) / 2);
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(wavHeaderBytes + 2 * i) / 32_768;
  return { samples, sampleRate: bytes.readUInt32LE(24), text };
}
