import { analyseFrames, type SoundFrames } from "./frames";
import {
  type RecordingQuality,
  type RecordingTip,
  type RecordingVerdict,
  recordingLimits,
  recordingTips,
} from "./quality";

/** Mono, −1…1. */
export interface MonoRecording {
  samples: Float32Array;
  sampleRate: number;
}

const {
  minSpeechSeconds,
  usedSeconds,
  silentPeakDb,
  quietPeakDb,
  clipping: clippingLimits,
  snrDb: snrLimits,
} = recordingLimits;

/** A cut-off top is at least this many samples in a row this near the highest one. */
const plateau = { samples: 3, share: 0.985 };
/** Speech glides; where most voiced moments hold one pitch, it is music. */
const music = { steadyShare: 0.6, minSteadySeconds: 1 };
/** Less than this is not even the beginning of a sentence. */
const anySpeechSeconds = 0.4;

/** The part a voice is learned from: the first minute. */
export function usedPart({ samples, sampleRate }: MonoRecording): MonoRecording {
  return { samples: samples.subarray(0, usedSeconds * sampleRate), sampleRate };
}

/**
 * Judges a recording as material to learn a voice from. Only the used part is judged; `complete: false` (the file was cut
 * off) adds the tip `truncated`. Tips come most serious first; never throws. The same samples are judged the same in the
 * browser and on the server: both call this.
 */
export function assessRecording(recording: MonoRecording & { complete?: boolean }): RecordingQuality {
  const { samples, sampleRate } = usedPart(recording);
  const peak = samples.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  const frames = analyseFrames(samples, sampleRate);
  const { speechSeconds, snrDb, voicedSeconds } = measureSpeech(frames);
  const measured = {
    durationMs: Math.round((recording.samples.length / sampleRate) * 1000),
    speechSeconds: rounded(speechSeconds),
    snrDb: rounded(snrDb),
    peakDb: rounded(Math.max(-120, 20 * Math.log10(peak))),
    clipping: clippingOf(samples, peak),
  };
  const found = findFaults({ ...measured, isMusic: isMusic(frames), voicedSeconds });
  if (recording.complete === false) found.told.push("truncated");
  if (measured.durationMs > usedSeconds * 1000) found.told.push("too-long");
  const tips = recordingTips.filter((tip) => found.refused.includes(tip) || found.told.includes(tip));
  const verdict: RecordingVerdict = found.refused.length > 0 ? "refused" : tips.length > 0 ? "usable" : "good";
  return { ...measured, verdict, tips };
}

type Measured = Omit<RecordingQuality, "verdict" | "tips"> & { isMusic: boolean; voicedSeconds: number };

/** What rules a recording out, and what is only worth a word. The gravest cause hides those that follow from it. */
function findFaults(measured: Measured): { refused: RecordingTip[]; told: RecordingTip[] } {
  const { durationMs, peakDb, speechSeconds, snrDb, clipping, voicedSeconds } = measured;
  if (peakDb < silentPeakDb) return { refused: ["silent"], told: [] };
  if (durationMs < minSpeechSeconds * 1000) return { refused: ["too-short"], told: [] };
  if (measured.isMusic) return { refused: ["music"], told: [] };
  if (speechSeconds < anySpeechSeconds) {
    return { refused: [voicedSeconds < anySpeechSeconds ? "no-speech" : "noisy"], told: [] };
  }
  const refused: RecordingTip[] = [];
  const told: RecordingTip[] = [];
  if (clipping >= clippingLimits.told) (clipping >= clippingLimits.refused ? refused : told).push("clipped");
  if (snrDb < snrLimits.told) (snrDb < snrLimits.refused ? refused : told).push("noisy");
  if (speechSeconds < minSpeechSeconds) refused.push("too-short");
  if (peakDb < quietPeakDb) told.push("quiet");
  return { refused, told };
}

function clippingOf(samples: Float32Array, peak: number): number {
  const limit = peak * plateau.share;
  let clipped = 0;
  let run = 0;
  for (let i = 0; i <= samples.length; i++) {
    const value = samples[i] ?? 0;
    if (peak > 0 && Math.abs(value) >= limit) {
      run++;
      continue;
    }
    if (run >= plateau.samples) clipped += run;
    run = 0;
  }
  return samples.length === 0 ? 0 : clipped / samples.length;
}

/** Counts moments of about 110 ms that are voiced throughout, and those of them that hold one pitch. */
function isMusic({ periodicity, pitchSt, levelDb, hopSeconds }: SoundFrames): boolean {
  const loudest = levelDb.reduce((highest, level) => Math.max(highest, level), -100);
  const reach = 3;
  let voiced = 0;
  let steady = 0;
  for (let frame = reach; frame + reach < levelDb.length; frame++) {
    const around = pitchSt.subarray(frame - reach, frame + reach + 1);
    const isVoiced = periodicity.subarray(frame - reach, frame + reach + 1).every((value) => value > 0.5);
    if (!isVoiced || (levelDb[frame] as number) < loudest - 30) continue;
    voiced++;
    if (Math.max(...around) - Math.min(...around) < 0.3) steady++;
  }
  return steady * hopSeconds >= music.minSteadySeconds && steady / voiced > music.steadyShare;
}

const rounded = (value: number) => Math.round(value * 10) / 10;

const voicedPeriodicity = 0.5;
/** Consonants belong to the voiced sound next to them. */
const consonantSeconds = 0.2;
/** Quieter than this is a muted microphone or a noise gate, not the room. */
const gateDb = -90;
const maxSnrDb = 60;

export interface SpeechMeasure {
  speechSeconds: number;
  snrDb: number;
  /** Voiced frames at any level, heard through noise or not. */
  voicedSeconds: number;
}

/** Speech by energy and periodicity: what stands above the room's noise and lies close to something voiced. */
export function measureSpeech({ levelDb, periodicity, hopSeconds }: SoundFrames): SpeechMeasure {
  const sounding = levelDb.filter((level) => level > gateDb).sort();
  const noiseDb = quantile(sounding, 0.05);
  const thresholdDb = Math.max(noiseDb + 6, quantile(sounding, 0.95) - 30);
  const voiced = periodicity.map((value) => (value > voicedPeriodicity ? 1 : 0));
  const active = levelDb.map((level) => (level > thresholdDb ? 1 : 0));
  const reach = Math.round(consonantSeconds / hopSeconds);
  let lastVoiced = Number.NEGATIVE_INFINITY;
  let nextVoiced = nextFrom(0);
  let speech = 0;
  let power = 0;
  for (let frame = 0; frame < levelDb.length; frame++) {
    if (voiced[frame] && active[frame]) lastVoiced = frame;
    if (nextVoiced < frame) nextVoiced = nextFrom(frame);
    if (!active[frame] || Math.min(frame - lastVoiced, nextVoiced - frame) > reach) continue;
    speech++;
    power += 10 ** ((levelDb[frame] as number) / 10);
  }
  const noise = 10 ** (noiseDb / 10);
  const snrDb = speech === 0 ? 0 : 10 * Math.log10(Math.max(1, (power / speech - noise) / noise));
  return {
    speechSeconds: speech * hopSeconds,
    snrDb: Math.min(maxSnrDb, snrDb),
    voicedSeconds: voiced.reduce((sum, value) => sum + value, 0) * hopSeconds,
  };

  function nextFrom(frame: number): number {
    for (let at = frame; at < levelDb.length; at++) if (voiced[at] && active[at]) return at;
    return Number.POSITIVE_INFINITY;
  }
}

function quantile(sorted: Float32Array, share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? gateDb;
}
