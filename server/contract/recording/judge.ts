import { type Character, measureCharacter } from "./character";
import { analyseFrames, type SoundFrames } from "./frames";
import {
  type RecordingQuality,
  type RecordingTip,
  type RecordingVerdict,
  recordingLimits,
  recordingTips,
} from "./quality";
import { measureHighBand } from "./spectrum";

/** Mono, −1…1. */
export interface MonoRecording {
  samples: Float32Array;
  sampleRate: number;
}

const {
  minSpeechSeconds,
  fullSpeechSeconds,
  usedSeconds,
  silentPeakDb,
  quietPeakDb,
  clipping: clippingLimits,
  snrDb: snrLimits,
} = recordingLimits;

/** A clipped peak: this many consecutive samples within this share of the maximum. */
const plateau = { samples: 3, share: 0.985 };
/** Music holds steady pitches, speech glides. */
const music = { steadyShare: 0.6, minSteadySeconds: 1 };
/**
 * Limits of a tip and of a refusal. Among 18 people and 11 harmless alterations the highest were: steady partials 0.02,
 * and held notes 0.20; singing held 0.38 or more (docs/decisions/0048-verdict-on-a-recording.md).
 */
const steadyLimits = { warned: 0.05, refused: 0.12 };
const heldLimits = { warned: 0.27, refused: 0.36, minSeconds: 2 };
/** Harmless takes have 0.1 at most, drums 20 dB below speech 0.5. Only a warning: soft drums hardly harm a voice. */
const beatWarned = 0.3;
/** dB a second. Four people: 157 or more, in rooms of 0.6 s 84 to 101. Noise and other voices fill decays as well. */
const room = { decay: 105, leastSnrDb: 12 };
/** dB. Speech of four people: −21 or more, 8 kHz files −106 or less, and −43 or less as MP3 at 48 kHz. */
const phoneBandDb = -40;
/** Less speech counts as none. */
const anySpeechSeconds = 0.4;

/** The first minute, which is used for enrolment. */
export function usedPart({ samples, sampleRate }: MonoRecording): MonoRecording {
  return { samples: samples.subarray(0, usedSeconds * sampleRate), sampleRate };
}

/**
 * Assesses a recording for enrolment; the browser and the server both call this function. Only the used part counts;
 * `complete: false` adds the tip `truncated`. Tips are ordered by severity. Never throws.
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
    ...(voicedSeconds >= anySpeechSeconds && { pitchHz: rounded(medianPitchOf(frames)) }),
  };
  const found = findFaults({
    ...measured,
    ...measureCharacter(frames),
    isMusic: isMusic(frames),
    voicedSeconds,
    highBandDb: measureHighBand(samples, sampleRate),
  });
  if (recording.complete === false) found.warned.push("truncated");
  if (measured.durationMs > usedSeconds * 1000) found.warned.push("too-long");
  const tips = recordingTips.filter((tip) => found.refused.includes(tip) || found.warned.includes(tip));
  const verdict: RecordingVerdict = found.refused.length > 0 ? "refused" : tips.length > 0 ? "usable" : "good";
  return { ...measured, verdict, tips };
}

type Measured = Omit<RecordingQuality, "verdict" | "tips"> &
  Character & { isMusic: boolean; voicedSeconds: number; highBandDb: number };

/** Findings that refuse a recording and findings that only warn; a severe cause hides its consequences. */
function findFaults(measured: Measured): { refused: RecordingTip[]; warned: RecordingTip[] } {
  const { durationMs, peakDb, speechSeconds, snrDb, clipping, voicedSeconds } = measured;
  if (peakDb < silentPeakDb) return { refused: ["silent"], warned: [] };
  if (durationMs < minSpeechSeconds * 1000) return { refused: ["too-short"], warned: [] };
  if (measured.isMusic) return { refused: ["music"], warned: [] };
  if (measured.isWhisper) return { refused: ["whisper"], warned: [] };
  if (speechSeconds < anySpeechSeconds) {
    return { refused: [voicedSeconds < anySpeechSeconds ? "no-speech" : "noisy"], warned: [] };
  }
  const { refused, warned } = findCharacterFaults(measured);
  if (refused.length > 0) return { refused, warned };
  if (clipping >= clippingLimits.warned) (clipping >= clippingLimits.refused ? refused : warned).push("clipped");
  if (snrDb < snrLimits.warned) (snrDb < snrLimits.refused ? refused : warned).push("noisy");
  if (measured.decay < room.decay && snrDb >= room.leastSnrDb) warned.push("room");
  if (measured.highBandDb < phoneBandDb) warned.push("phone-band");
  // Noise hides speech: a longer take of it would be refused as well.
  if (speechSeconds < minSpeechSeconds) refused.push(snrDb < snrLimits.warned ? "noisy" : "too-short");
  else if (speechSeconds < fullSpeechSeconds) warned.push("short");
  if (peakDb < quietPeakDb) warned.push("quiet");
  return { refused, warned };
}

/** At most one of the two: a song holds partials still as well. */
function findCharacterFaults(measured: Measured): { refused: RecordingTip[]; warned: RecordingTip[] } {
  const { heldShare, heldSeconds, steadyShare, beat, snrDb } = measured;
  const finding = (tip: RecordingTip, isRefused: boolean) =>
    isRefused ? { refused: [tip], warned: [] } : { refused: [], warned: [tip] };
  if (heldShare >= heldLimits.warned && heldSeconds >= heldLimits.minSeconds)
    return finding("singing", heldShare >= heldLimits.refused);
  if (steadyShare >= steadyLimits.warned || beat >= beatWarned)
    // Music also fills the pauses; in a quiet recording it is a fan or a flat reader.
    return finding("music", steadyShare >= steadyLimits.refused && snrDb < snrLimits.warned);
  return { refused: [], warned: [] };
}

/** Without what is much softer than the voice: a hum fills the pauses. */
function medianPitchOf({ periodicity, pitchSt, levelDb }: SoundFrames): number {
  const softest = levelDb.reduce((highest, level) => Math.max(highest, level), -100) - 30;
  const isVoice = (frame: number) =>
    (periodicity[frame] as number) > voicedPeriodicity && (levelDb[frame] as number) > softest;
  const voiced = pitchSt.filter((_, frame) => isVoice(frame)).sort();
  return 55 * 2 ** ((voiced[voiced.length >> 1] ?? 0) / 12);
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

/** Compares the number of voiced windows of about 110 ms with those at a steady pitch. */
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
/** Unvoiced frames this close to voiced ones are consonants. */
const consonantSeconds = 0.2;
/** Lower levels come from a muted microphone or a noise gate. */
const gateDb = -90;
const maxSnrDb = 60;

export interface SpeechMeasure {
  speechSeconds: number;
  snrDb: number;
  /** Voiced frames at any level. */
  voicedSeconds: number;
}

/** Detects speech by energy above the noise floor, near voiced frames. */
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
