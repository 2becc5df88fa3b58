import { basename } from "node:path";
import { speechRate } from "../../dsp/grid";
import { toPcm } from "../../dsp/pcm";
import { trackPitch } from "../../dsp/pitch";
import { findPitchRange, toHz } from "../../dsp/pitch-range";
import { resample } from "../../dsp/resample";
import { SpeechError, type VoiceDesign } from "../../engine";
import type { Backend, RemoteSpeech } from "../remote/backend";
import type { Recording } from "../remote/reference";
import { findModel } from "./models";
import { createSherpaProcess, type SherpaProcess, type SherpaProcessOptions } from "./process";
import { writeSyllable } from "./syllables";

export interface SherpaBackend extends Backend {
  processId: SherpaProcess["processId"];
}

interface SherpaOptions extends SherpaProcessOptions {
  folder: string;
  /** The engine's name, where there are two. */
  id?: string;
}

const wavHeaderBytes = 44;
/** sherpa-onnx resamples every request's reference otherwise, and reports it each time. */
const zipVoiceReference = { minSeconds: 1, maxSeconds: 10, needsText: true, sampleRate: 24_000 };

/**
 * Backend for sherpa-onnx models in a folder, in a separate process. ZipVoice clones recordings with a transcript and
 * speaks our readings; the other families have preset voices, normalise text by their own rules and are selected by style.
 */
export function createSherpaBackend(options: SherpaOptions): SherpaBackend {
  const found = findModel(options.folder);
  const model = "model" in found ? found.model : null;
  const fault = "fault" in found ? found.fault : "";
  const child = createSherpaProcess(options);
  return {
    id: options.id ?? "sherpa",
    version: `2:${model?.family ?? "none"}:${basename(options.folder)}`,
    maxChars: 2000,
    languages: ["zh", "en"],
    reference: model?.clones === false ? null : zipVoiceReference,
    speeds: [0.5, 2],
    ...(model?.clones && { write: writeSyllable }),
    ...(model?.family === "kokoro" && { choosePreset: chooseKokoroVoice }),
    ...(model?.clones === false && {
      designVoice: (design) => ({ wav: "", text: "", sid: model.family === "kokoro" ? presetFor(design) : 0 }),
    }),
    async *say({ text, speed, voice }: RemoteSpeech, signal) {
      if (!model) throw new SpeechError("engine", fault);
      const reference = model.clones ? samplesOf(voice) : null;
      const input = { text, speed, voice: reference, sid: voice.sid ?? 0 };
      for await (const { samples, sampleRate } of child.speak(input, signal)) {
        yield { pcm: toPcm(samples), sampleRate };
      }
    },
    probe: async () => model !== null && (await child.isReady()),
    processId: child.processId,
    close: child.close,
  };
}

/** Chinese voices of Kokoro by their number: a woman's (zf_xiaoxiao) and a man's (zm_yunxi). */
const kokoroVoices = { high: 47, low: 50 };
/** All Chinese voices, by the order of their pitch. */
const designedVoices = { women: [48, 46, 47, 45], men: [51, 50, 52, 49] };
/** Between the median pitch of men's and women's voices. */
const dividingPitchHz = 165;
/** Enough for a median; pitch tracking takes 20 ms per second of sound. */
const pitchSeconds = 3;

/** The number of the preset voice nearest to a recording. */
function chooseKokoroVoice({ samples, sampleRate }: Recording): number {
  const excerpt = resample(samples.subarray(0, pitchSeconds * sampleRate), sampleRate, speechRate);
  const range = findPitchRange(trackPitch(excerpt));
  return range && toHz(range.medianSt) < dividingPitchHz ? kokoroVoices.low : kokoroVoices.high;
}

/** Voices of equal pitch differ by their tract, so that neighbours in a list are different people. */
function presetFor({ pitchHz, tract }: VoiceDesign): number {
  const { women, men } = designedVoices;
  const own = pitchHz < dividingPitchHz ? men : women;
  return own[Math.round(pitchHz + 100 * tract) % own.length] as number;
}

/** Samples of the WAV that enrolment stored. */
function samplesOf({ wav, text }: RemoteSpeech["voice"]) {
  const bytes = Buffer.from(wav, "base64");
  const samples = new Float32Array((bytes.length - wavHeaderBytes) / 2);
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(wavHeaderBytes + 2 * i) / 32_768;
  return { samples, sampleRate: bytes.readUInt32LE(24), text };
}
