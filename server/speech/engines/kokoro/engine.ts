import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod/v4";
import { melBands } from "../../dsp/mel";
import { toPcm } from "../../dsp/pcm";
import { toHz } from "../../dsp/pitch-range";
import { type MeasuredVoice, type SpeechChunk, type SpeechEngine, SpeechError, type SpeechRequest } from "../../engine";
import { compareSpeakers } from "../../proof/speaker";
import { requireSpeech } from "../delivery";
import { createModelProcess } from "../model-process";
import { toChunk } from "../timeline";
import type { VoiceDescription } from "./description";
import type { KokoroPart, KokoroProcessOptions, KokoroWork } from "./kokoro-child";
import { type MixDescription, mixes } from "./mixes";
import { modelFiles } from "./model";
import { modelRate } from "./timeline";
import { splitUtterances } from "./utterances";
import { designKokoroVoice, type KokoroVoice, kokoroId, kokoroVersion, requireKokoroVoice, toProsody } from "./voice";

export interface KokoroOptions {
  /** Contains the installed model. */
  folder: string;
  /** Requests that may wait or run at once; further ones fail with 'overloaded'. */
  maxRequests?: number;
  /** For a whole request. */
  timeoutMs?: number;
  /** Instead of what the installation measured. */
  threads?: number;
  maxMegabytes?: number;
}

export interface KokoroEngine extends SpeechEngine {
  design: NonNullable<SpeechEngine["design"]>;
  /** True if the model was opened. */
  probe(): Promise<boolean>;
  processId(): number | undefined;
}

const defaults = { maxRequests: 64, timeoutMs: 120_000, maxMegabytes: 1000 };
/** About 9 s of speech take 4 s of two cores. */
const utteranceTimeoutMs = 30_000;
const maxChars = 2_000;
/** First utterances never wait for the later ones of another request, and recordings wait for neither. */
const lanes = { first: 0, later: 1, recordings: 2 };

/** Written by the installation when the model spoke. */
export const measuredFile = "measured.json";
const measuredShape = z.object({ threads: z.number().int().min(1).max(64) });

/**
 * Kokoro-82M in a process of its own: our readings are its tokens, a person is a mix of its styles with an own pitch, and
 * its durations are the timeline.
 */
export function createKokoroEngine({ folder, ...given }: KokoroOptions): KokoroEngine {
  const { maxRequests, timeoutMs, maxMegabytes } = { ...defaults, ...given };
  const argument: KokoroProcessOptions = { folder, threads: given.threads ?? readThreads(folder), maxMegabytes };
  const model = createModelProcess<KokoroWork, KokoroPart>({
    title: "Kokoro",
    program: ["./speech/engines/kokoro", "kokoro-child"],
    argument,
    lanes: Object.keys(lanes).length,
    silentMs: utteranceTimeoutMs,
  });
  let requests = 0;

  async function* speak(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const voice = requireKokoroVoice(request.voice);
    requireSpeech(request, maxChars);
    const prosody = toProsody(request);
    for (const [i, utterance] of splitUtterances(request.text.units, prosody.speed).entries()) {
      const lane = i === 0 ? lanes.first : lanes.later;
      const work = { kind: "speak", utterance, voice, prosody } as const;
      for await (const part of model.run(work, signal, lane)) {
        if (!("spoken" in part)) continue;
        const { samples, timeline } = part.spoken;
        const silence = { beforeMs: utterance.pauseBeforeMs, afterMs: utterance.pauseAfterMs };
        yield toChunk({ pcm: toPcm(samples), sampleRate: modelRate, timeline }, silence);
      }
    }
  }

  return {
    id: kokoroId,
    version: kokoroVersion,
    capabilities: {
      clone: true,
      stream: true,
      timeline: existsSync(join(folder, modelFiles.timed)),
      languages: ["zh", "en"],
      maxChars,
      variesRepetitions: true,
    },
    async enroll({ samples, sampleRate }, { signal = never } = {}) {
      for await (const part of model.run({ kind: "describe", samples, sampleRate }, signal, lanes.recordings)) {
        if (!("described" in part)) continue;
        const { voice, measured } = learnVoice(part.described);
        return { engine: kokoroId, version: kokoroVersion, parameters: voice, measured };
      }
      throw new SpeechError("engine", "Kokoro described no voice");
    },
    design: designKokoroVoice,
    async *synthesize(request, signal) {
      if (signal.aborted) throw new SpeechError("cancelled", "The caller cancelled");
      if (requests >= maxRequests) throw new SpeechError("overloaded", "Too many requests are waiting");
      requests++;
      const timer = AbortSignal.timeout(timeoutMs);
      try {
        yield* speak(request, AbortSignal.any([signal, timer]));
      } catch (error) {
        if (timer.aborted && !signal.aborted) {
          throw new SpeechError("timeout", "Kokoro timed out", { cause: error });
        }
        throw error;
      } finally {
        requests--;
      }
    },
    warmUp: () => void model.isReady(),
    probe: model.isReady,
    processId: model.processId,
    close: async () => model.close(),
  };
}

const never = new AbortController().signal;

function readThreads(folder: string): number {
  const path = join(folder, measuredFile);
  const read = existsSync(path) ? measuredShape.safeParse(JSON.parse(readFileSync(path, "utf8"))) : undefined;
  return read?.success ? read.data.threads : 2;
}

interface LearnedVoice {
  voice: KokoroVoice;
  measured: MeasuredVoice;
}

/** Largest change of the spectrum; more damages the sound. */
const filterLimitDb = 12;
/** Semitones that the pitch may move before a mix of another pitch is better, and what each further one costs. */
const pitchReach = { freeSt: 3, costPerSt: 1 } as const;
const rangeLimits = [0.7, 1.4] as const;
const tempoLimits = [0.8, 1.25] as const;
const clamp = (value: number, [least, most]: readonly [number, number]) => Math.min(most, Math.max(least, value));

/** The voice of a recording: the nearest mix of styles with the person's pitch, its spread, tempo and spectrum. */
function learnVoice(target: VoiceDescription): LearnedVoice {
  return {
    voice: fitVoice(findNearestMix(target), target),
    measured: {
      pitchHz: toHz(target.medianSt),
      pitchRangeSt: target.highSt - target.lowSt,
      syllablesPerSecond: null,
    },
  };
}

/** A mix with the person's manner and spectrum. */
function fitVoice(mix: MixDescription, target: VoiceDescription): KokoroVoice {
  return {
    styles: mix.styles,
    mixHz: toHz(mix.medianSt),
    pitchHz: toHz(target.medianSt),
    range: clamp(target.spreadSt / mix.spreadSt, rangeLimits),
    tempo: clamp(target.syllablesPerSecond / mix.syllablesPerSecond, tempoLimits),
    filterDb: smooth(target.spectrumDb.map((level, band) => level - (mix.spectrumDb[band] as number))).map(
      (gain) => Math.round(10 * clamp(gain, [-filterLimitDb, filterLimitDb])) / 10,
    ),
  };
}

function findNearestMix(target: VoiceDescription): MixDescription {
  const distance = (mix: MixDescription) => {
    const movedSt = Math.abs(mix.medianSt - target.medianSt);
    const moving = pitchReach.costPerSt * Math.max(0, movedSt - pitchReach.freeSt);
    return moving - (target.print ? compareSpeakers(target.print, Float64Array.from(mix.print)) : 0);
  };
  return mixes().reduce((best, mix) => (distance(mix) < distance(best) ? mix : best));
}

/** Mean of each band and its neighbours. */
const smooth = (curve: readonly number[]): number[] =>
  curve.map((value, band) => {
    const [left, right] = [curve[Math.max(0, band - 1)] as number, curve[Math.min(melBands - 1, band + 1)] as number];
    return (left + 2 * value + right) / 4;
  });
