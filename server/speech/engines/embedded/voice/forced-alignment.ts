import type { AlignResult } from "../../../analysis";
import { hopSeconds, speechRate } from "../../../dsp/grid";
import { toFloats } from "../../../dsp/pcm";
import { resample } from "../../../dsp/resample";
import { SpeechError } from "../../../engine";
import { alignmentFeatures, alignSequences, type FeatureSequence, type FramePair, rotateSequence } from "./alignment";
import { analyse } from "./analysis";
import type { CalibrationReading } from "./calibration";

const timelineRotations = [0.33, 0.5, 0.67];
/** Required cost relative to rotations; texts with fewer syllables are not tested. */
const timelineMatchShare = 0.97;
const minSyllables = 6;
/** Plausible seconds per syllable. */
const plausibleSeconds = [0.05, 1] as const;
const msOfFrame = (frame: number) => frame * hopSeconds * 1000;

interface AlignedSound {
  pcm: Int16Array;
  sampleRate: number;
}

/**
 * Forced alignment of text with speech: by dynamic time warping of the source reading, or by linear scaling if they do not
 * match. Throws SpeechError 'text' or 'engine' if either is empty.
 */
export async function alignTimeline(
  reading: CalibrationReading,
  { pcm, sampleRate }: AlignedSound,
  checkpoint: () => Promise<void>,
): Promise<AlignResult> {
  if (reading.units.length === 0) throw new SpeechError("text", "The text contains no speech");
  const samples = toFloats(pcm);
  const target = analyse(resample(samples, sampleRate, speechRate));
  await checkpoint();
  const [source, speech] = [alignmentFeatures(reading.speech), alignmentFeatures(target)];
  if (source.frames.length < 2 || speech.frames.length < 2) throw new SpeechError("engine", "The audio is too short");
  const pairs = await alignIfMatching(reading, { source, speech, checkpoint });
  const timeOf = pairs ? interpolateTimes(pairs) : scaleTimes(source, speech);
  const durationMs = Math.round((pcm.length / sampleRate) * 1000);
  const mapped = <T extends { start: number; end: number }>(item: T): T => {
    const start = Math.min(durationMs, Math.round(timeOf(item.start)));
    return { ...item, start, end: Math.max(start, Math.min(durationMs, Math.round(timeOf(item.end)))) };
  };
  const timeline = {
    sampleRate,
    durationMs,
    units: reading.units.map(mapped),
    phonemes: reading.phonemes.map(mapped).filter(({ start, end }) => end > start),
  };
  return { timeline, matchesText: pairs !== null };
}

interface Compared {
  source: FeatureSequence;
  speech: FeatureSequence;
  checkpoint: () => Promise<void>;
}

/** Null if the texts differ. */
async function alignIfMatching(
  reading: CalibrationReading,
  { source, speech, checkpoint }: Compared,
): Promise<FramePair[] | null> {
  const seconds = speech.frames.length * 2 * hopSeconds;
  const perUnit = seconds / reading.units.length;
  if (perUnit < plausibleSeconds[0] || perUnit > plausibleSeconds[1] * 1.5) return null;
  const { pairs, cost } = alignSequences(source, speech);
  if (reading.syllables < minSyllables) return pairs;
  let rotatedCost = 0;
  for (const share of timelineRotations) {
    await checkpoint();
    rotatedCost += alignSequences(rotateSequence(source, share), speech).cost / timelineRotations.length;
  }
  return cost < timelineMatchShare * rotatedCost ? pairs : null;
}

/** Maps reading times to speech times by linear interpolation between pairs. */
function interpolateTimes(pairs: FramePair[]): (ms: number) => number {
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

function scaleTimes(source: FeatureSequence, speech: FeatureSequence): (ms: number) => number {
  const range = ({ frames }: FeatureSequence) =>
    [msOfFrame(frames[0] as number), msOfFrame(frames.at(-1) as number)] as const;
  const [[from, to], [first, last]] = [range(source), range(speech)];
  return (ms) => first + (Math.max(0, Math.min(1, (ms - from) / (to - from))) || 0) * (last - first);
}
