import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { assessRecording } from "~server/contract/recording/judge";
import type { ProofMeasures } from "~server/speech/analysis";
import { findPolyphones } from "~server/speech/chinese/polyphones";
import { prepareText } from "~server/speech/chinese/prepare";
import { splitSegments } from "~server/speech/chinese/segment";
import { resample } from "~server/speech/dsp/resample";
import {
  type SpeechChunk,
  type SpeechEngine,
  SpeechError,
  type SpeechRequest,
  type Timeline,
  type VoiceProfile,
} from "~server/speech/engine";
import { voiceDesigns } from "~server/speech/index";
import { analyseSound, proofRate } from "~server/speech/proof/frames";
import { createVoiceprints, describeSpeaker } from "~server/speech/proof/speaker";
import { decodeRecording } from "~server/speech/recording/decode";
import { denoiseRecording } from "~server/speech/recording/denoise";
import { encode, encodeFile } from "~server/speech/recording/encode";
import { createFingerprint } from "~server/speech/recording/fingerprint/fingerprint";
import {
  createAlteredQueries,
  createFileQuery,
  fingerprintFile,
  fingerprintSampleFile,
} from "~server/speech/recording/fingerprint/query";
import { mixMusicFile, readMusic } from "~server/speech/recording/music";
import type { SpeechParts } from "~server/upstream/voices/ports";

const sampleRate = 16_000;
const syllableMs = 60;

export interface ToneSpeech extends SpeechParts {
  close(): Promise<void>;
  /** Segments synthesised and voices enrolled so far. */
  calls: { synthesize: number; enroll: number };
  /** Injected faults, counted down; segment faults start after `spared` segments. */
  faults: { spared: number; segments: number; enrolments: number; delayMs: number; isSilent: boolean };
  /** Blocks synthesis after `after` segments until the returned function is called or the request is cancelled. */
  hold(options?: { after?: number }): () => void;
  /** Measures of a proof. */
  proof: ProofMeasures;
  /** Hooks that run before a segment or an enrolled voice is returned. */
  meanwhile: { spoken?: (() => Promise<void>) | undefined; learned?: (() => Promise<void>) | undefined };
}

const keptResults = 64;

/**
 * Analyses equal recordings once per worker, because tests upload the same few again and again: with it and the cache
 * of `speechLike`, tests/api/voice-proofs.test.ts takes a third of the time. Each caller gets a copy.
 */
function analyseOnce<Result>(analyse: (bytes: Uint8Array) => Promise<Result>) {
  const results = new Map<string, Promise<Result>>();
  return async (bytes: Uint8Array): Promise<Result> => {
    const key = createHash("sha256").update(bytes).digest("base64");
    const result = results.get(key) ?? analyse(bytes);
    results.delete(key);
    results.set(key, result);
    for (const oldest of results.keys()) if (results.size > keptResults) results.delete(oldest);
    return structuredClone(
      await result.catch((error) => {
        results.delete(key);
        throw error;
      }),
    );
  };
}

const inspectOnce = analyseOnce(async (bytes) => {
  const { samples, sampleRate: rate, format } = await decodeRecording(bytes);
  return { samples, sampleRate: rate, format, quality: assessRecording({ samples, sampleRate: rate }) };
});
const hearOnce = analyseOnce(createFileQuery);

/** A fake engine that synthesises one tone per unit, with injectable faults. */
export function createToneSpeech(version = "1"): ToneSpeech {
  const calls = { synthesize: 0, enroll: 0 };
  const faults = { spared: 0, segments: 0, enrolments: 0, delayMs: 0, isSilent: false };
  const meanwhile: ToneSpeech["meanwhile"] = {};
  const proof: ProofMeasures = {
    words: { all: 5, lines: [4, 4] },
    speaker: 6,
    copied: { identical: 0, alike: 0 },
    highBandDb: -20,
    versions: { words: "test" },
  };
  let held = { after: 0, until: Promise.resolve() };
  const happen = async (when: keyof typeof meanwhile) => {
    await meanwhile[when]?.();
  };
  const profile = (pitchHz: number): VoiceProfile => ({ engine: "tone", version, parameters: { pitchHz } });

  const engine: SpeechEngine = {
    id: "tone",
    version,
    capabilities: { clone: true, stream: true, timeline: true, languages: ["zh"], maxChars: 1500 },
    async enroll(_, { transcript } = {}) {
      calls.enroll++;
      if (faults.enrolments-- > 0) throw new SpeechError("engine", "injected fault");
      await happen("learned");
      const measured = { pitchHz: 220, pitchRangeSt: 5, syllablesPerSecond: transcript ? 4 : null };
      return { ...profile(220), measured };
    },
    design: ({ pitchHz }) => profile(pitchHz),
    async *synthesize(request, signal) {
      calls.synthesize++;
      if (faults.delayMs > 0) await sleep(faults.delayMs, undefined, { signal }).catch(() => {});
      if (held.after-- <= 0) await Promise.race([held.until, once(signal)]);
      if (signal.aborted) throw new SpeechError("cancelled", "cancelled");
      if (faults.spared-- <= 0 && faults.segments-- > 0) throw new SpeechError("engine", "injected fault");
      await happen("spoken");
      yield speak(request, faults.isSilent ? 0 : 0.4);
    },
    close: async () => {},
  };

  return {
    calls,
    faults,
    meanwhile,
    proof,
    hold({ after = 0 } = {}) {
      let release = () => {};
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = { after, until };
      return release;
    },
    engine: async () => engine,
    inspect: inspectOnce,
    voiceprints: createVoiceprints(async ({ samples, sampleRate: rate }) => {
      const voiceprint = describeSpeaker(analyseSound(resample(samples, rate, proofRate)));
      return voiceprint && [...voiceprint];
    }),
    encode,
    encodeFile,
    mixMusic: mixMusicFile,
    denoise: denoiseRecording,
    readMusic,
    printFile: fingerprintSampleFile,
    print: async (sound) =>
      sound instanceof Uint8Array ? fingerprintFile(sound) : createFingerprint(sound.pcm, sound.sampleRate),
    hear: hearOnce,
    hearAltered: async (excerpt) => createAlteredQueries(excerpt),
    measureProof: async () => structuredClone(proof),
    designs: voiceDesigns,
    prepareText: async (content, options) => prepareText(content, options),
    examineTexts: async (contents, options) =>
      contents.map((content) => ({
        isSpoken: prepareText(content, options).units.some(({ kind }) => kind !== "pause"),
        segments: splitSegments(content).length,
      })),
    splitSegments: async (content) => splitSegments(content),
    findPolyphones: async (content, options) => findPolyphones(content, options),
    master: async (chunks) => joinChunks(chunks),
    close: async () => {},
  };
}

const once = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

function speak({ text, voice, speed }: SpeechRequest, level: number): SpeechChunk {
  const unitMs = syllableMs / speed;
  const { pitchHz } = voice.parameters as { pitchHz: number };
  const pcm = new Int16Array(Math.round((text.units.length * unitMs * sampleRate) / 1000));
  for (let i = 0; i < pcm.length; i++) {
    pcm[i] = Math.round(level * 32_767 * Math.sin((2 * Math.PI * pitchHz * i) / sampleRate));
  }
  const units = text.units.map((unit, i) => ({
    text: unit.text,
    offset: unit.offset,
    ...(unit.pinyin && { pinyin: unit.pinyin }),
    start: i * unitMs,
    end: (i + 1) * unitMs,
  }));
  const phonemes = units.map(({ start, end }) => ({ ph: "a", start, end, viseme: "aa" }));
  return { pcm, sampleRate, timeline: { sampleRate, durationMs: units.length * unitMs, units, phonemes } };
}

function joinChunks(chunks: SpeechChunk[]) {
  const pcm = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.pcm.length, 0));
  const timeline: Timeline = { sampleRate, durationMs: 0, units: [], phonemes: [] };
  let at = 0;
  for (const chunk of chunks) {
    pcm.set(chunk.pcm, at);
    const startMs = (at / sampleRate) * 1000;
    const later = <T extends { start: number; end: number }>(part: T) => ({
      ...part,
      start: part.start + startMs,
      end: part.end + startMs,
    });
    timeline.units.push(...(chunk.timeline?.units ?? []).map(later));
    timeline.phonemes.push(...(chunk.timeline?.phonemes ?? []).map(later));
    at += chunk.pcm.length;
  }
  timeline.durationMs = Math.round((pcm.length / sampleRate) * 1000);
  return { pcm, sampleRate, timeline };
}
