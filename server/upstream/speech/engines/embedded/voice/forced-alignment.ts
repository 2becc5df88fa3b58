import { hopSeconds, speechRate } from "../../../dsp/grid";
import { resample } from "../../../dsp/resample";
import { type AlignResult, SpeechError } from "../../../engine";
import { type Alignment, alignmentFeatures, alignSequences, type FeatureSequence, rotateSequence } from "./alignment";
import { type Analysis, analyse } from "./analysis";
import type { Reading } from "./calibration";
import { speakingSeconds } from "./pace";
import { type FramePair, tractFromPairs } from "./vocal-tract";

/** Syllables per second that a person can speak. */
const humanPace = [2, 10] as const;
/**
 * The same words in another order align as well as the words themselves when neither was said. What was said must align
 * better than the mean of the wrong orders by this share, and by this many of their standard deviations. Measured on
 * real people: said 0.89–0.975 and 4.0–10.3; not said 0.975–1.01 and at most 3.3.
 */
const spokenShare = 0.978;
const spokenDeviations = 3.7;
/** Turned by more than the alignment's slant can undo. */
const rotations = [0.25, 0.33, 0.42, 0.5, 0.58, 0.67, 0.75];

export interface SpokenTranscript extends Alignment {
  reading: Reading;
  tract: number;
  syllablesPerSecond: number;
}

interface Known {
  /** Vocal-tract ratio found without a transcript. */
  blind: number;
}

/** Alignment and vocal tract help each other in three rounds; null when the transcript is not what is said. */
export function alignTranscript(reading: Reading, target: Analysis, { blind }: Known): SpokenTranscript | null {
  const syllablesPerSecond = reading.syllables / speakingSeconds(target);
  if (!(syllablesPerSecond >= humanPace[0] && syllablesPerSecond <= humanPace[1])) return null;
  const said = alignmentFeatures(target);
  let tract = blind;
  let source = alignmentFeatures(reading.speech, tract);
  let alignment = alignSequences(source, said);
  for (let round = 0; round < 2; round++) {
    tract = 0.5 * (blind + tractFromPairs(reading.speech, target, alignment.pairs));
    source = alignmentFeatures(reading.speech, tract);
    alignment = alignSequences(source, said);
  }
  const wrongOrders = rotations.map((share) => alignSequences(rotateSequence(source, share), said).cost);
  return isSaid(alignment.cost, wrongOrders) ? { ...alignment, reading, tract, syllablesPerSecond } : null;
}

function isSaid(cost: number, wrongOrders: number[]): boolean {
  const mean = wrongOrders.reduce((sum, wrong) => sum + wrong, 0) / wrongOrders.length;
  const variance = wrongOrders.reduce((sum, wrong) => sum + (wrong - mean) ** 2, 0) / (wrongOrders.length - 1);
  return cost < spokenShare * mean && cost < mean - spokenDeviations * Math.sqrt(variance);
}

/** Turned by so much, the same words are the wrong ones. */
const timelineRotations = [0.33, 0.5, 0.67];
/** What was said must align better than wrong orders of it by this share; shorter texts have no orders to speak of. */
const heardShare = 0.97;
const fewestSyllables = 6;
/** Seconds a syllable may take in speech that is aligned at all. */
const plausible = [0.05, 1] as const;
const msOfFrame = (frame: number) => frame * hopSeconds * 1000;

interface Sound {
  pcm: Int16Array;
  sampleRate: number;
}

/**
 * When what a reading says sounds in somebody else's speech of the same text: warped onto it by its spectra, or stretched
 * over it evenly where the two do not fit. Throws SpeechError 'text' or 'engine' where one of them holds nothing.
 */
export async function alignTimeline(
  reading: Reading,
  { pcm, sampleRate }: Sound,
  breathe: () => Promise<void>,
): Promise<AlignResult> {
  if (reading.units.length === 0) throw new SpeechError("text", "There is nothing to align");
  const samples = Float32Array.from(pcm, (value) => value / 32_768);
  const target = analyse(resample(samples, sampleRate, speechRate));
  await breathe();
  const [source, said] = [alignmentFeatures(reading.speech), alignmentFeatures(target)];
  if (source.frames.length < 2 || said.frames.length < 2) throw new SpeechError("engine", "The sound is too short");
  const pairs = await pairsOf(reading, { source, said, target, breathe });
  const timeOf = pairs ? warped(pairs) : stretched(source, said);
  const durationMs = Math.round((pcm.length / sampleRate) * 1000);
  const moved = <T extends { start: number; end: number }>(item: T): T => {
    const start = Math.min(durationMs, Math.round(timeOf(item.start)));
    return { ...item, start, end: Math.max(start, Math.min(durationMs, Math.round(timeOf(item.end)))) };
  };
  const timeline = {
    sampleRate,
    durationMs,
    units: reading.units.map(moved),
    phonemes: reading.phonemes.map(moved).filter(({ start, end }) => end > start),
  };
  return { timeline, matchesText: pairs !== null };
}

interface Compared {
  source: FeatureSequence;
  said: FeatureSequence;
  target: Analysis;
  breathe: () => Promise<void>;
}

/** Null where it is not the same text. */
async function pairsOf(reading: Reading, { source, said, breathe }: Compared): Promise<FramePair[] | null> {
  const seconds = said.frames.length * 2 * hopSeconds;
  const perUnit = seconds / reading.units.length;
  if (perUnit < plausible[0] || perUnit > plausible[1] * 1.5) return null;
  const { pairs, cost } = alignSequences(source, said);
  if (reading.syllables < fewestSyllables) return pairs;
  let wrong = 0;
  for (const share of timelineRotations) {
    await breathe();
    wrong += alignSequences(rotateSequence(source, share), said).cost / timelineRotations.length;
  }
  return cost < heardShare * wrong ? pairs : null;
}

/** From milliseconds of the reading to those of the speech; straight between the pairs, held at the ends. */
function warped(pairs: FramePair[]): (ms: number) => number {
  const means = new Map<number, { sum: number; count: number }>();
  for (const [from, to] of pairs) {
    const mean = means.get(from) ?? { sum: 0, count: 0 };
    means.set(from, { sum: mean.sum + to, count: mean.count + 1 });
  }
  const points = [...means].map(([from, { sum, count }]) => [msOfFrame(from), msOfFrame(sum / count)] as const);
  return (ms) => {
    const after = points.findIndex(([from]) => from >= ms);
    if (after < 0) return points.at(-1)?.[1] ?? 0;
    const [toMs, toPlace] = points[after] as readonly [number, number];
    const [fromMs, fromPlace] = points[after - 1] ?? [toMs, toPlace];
    return toMs === fromMs ? toPlace : fromPlace + ((ms - fromMs) / (toMs - fromMs)) * (toPlace - fromPlace);
  };
}

function stretched(source: FeatureSequence, said: FeatureSequence): (ms: number) => number {
  const range = ({ frames }: FeatureSequence) =>
    [msOfFrame(frames[0] as number), msOfFrame(frames.at(-1) as number)] as const;
  const [[from, to], [first, last]] = [range(source), range(said)];
  return (ms) => first + (Math.max(0, Math.min(1, (ms - from) / (to - from))) || 0) * (last - first);
}
