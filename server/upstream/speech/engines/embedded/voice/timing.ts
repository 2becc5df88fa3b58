import type { Aligned } from "../../../alignment";
import { hopSeconds, speechRate } from "../../../dsp/grid";
import { resample } from "../../../dsp/resample";
import { SpeechError } from "../../../engine";
import { alignSides, describeSide, rotateSide, type Side } from "./alignment";
import { type Analysis, analyse } from "./analysis";
import type { Reading } from "./calibration";
import type { FramePair } from "./tract";

/** Turned by so much, the same words are the wrong ones. */
const rotations = [0.33, 0.5, 0.67];
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
export async function timeSpeech(
  reading: Reading,
  { pcm, sampleRate }: Sound,
  breathe: () => Promise<void>,
): Promise<Aligned> {
  if (reading.units.length === 0) throw new SpeechError("text", "There is nothing to align");
  const samples = Float32Array.from(pcm, (value) => value / 32_768);
  const target = analyse(resample(samples, sampleRate, speechRate));
  await breathe();
  const [source, said] = [describeSide(reading.speech), describeSide(target)];
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
  return { timeline, isHeard: pairs !== null };
}

interface Compared {
  source: Side;
  said: Side;
  target: Analysis;
  breathe: () => Promise<void>;
}

/** Null where it is not the same text. */
async function pairsOf(reading: Reading, { source, said, breathe }: Compared): Promise<FramePair[] | null> {
  const seconds = said.frames.length * 2 * hopSeconds;
  const perUnit = seconds / reading.units.length;
  if (perUnit < plausible[0] || perUnit > plausible[1] * 1.5) return null;
  const { pairs, cost } = alignSides(source, said);
  if (reading.syllables < fewestSyllables) return pairs;
  let wrong = 0;
  for (const share of rotations) {
    await breathe();
    wrong += alignSides(rotateSide(source, share), said).cost / rotations.length;
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

function stretched(source: Side, said: Side): (ms: number) => number {
  const range = ({ frames }: Side) => [msOfFrame(frames[0] as number), msOfFrame(frames.at(-1) as number)] as const;
  const [[from, to], [first, last]] = [range(source), range(said)];
  return (ms) => first + (Math.max(0, Math.min(1, (ms - from) / (to - from))) || 0) * (last - first);
}
