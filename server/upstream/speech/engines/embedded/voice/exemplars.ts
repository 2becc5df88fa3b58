import { binCount } from "../../../dsp/grid";
import { cepstrum, cosineRows, melAt, melBands } from "../../../dsp/mel";
import type { Analysis } from "./analysis";
import type { FramePair } from "./tract";
import type { ExemplarTable } from "./voice";
import { createWarp, warpFrame } from "./warp";

/** Coefficients by which frames are likened. */
export const likenessSize = 13;
const rows = cosineRows(likenessSize, melBands);
const maxExemplars = 2500;
/** How far one exemplar may stray from the voice's mean offset (natural log power), and its level. */
const maxStray = 3.2;
const maxLevelStray = 0.6;
const packing = 512;
const unvoicedMark = "¯";

export interface Exemplars {
  count: number;
  phones: string[];
  cepstra: Float32Array;
  offsets: Float32Array;
}

export const phoneKey = (phone: string, isVoiced: boolean) => `${phone || "_"}${isVoiced ? "" : unvoicedMark}`;

/** Cepstrum by which a frame of the source finds its like. */
export function likeness(envelope: Float32Array, offset: number, into: Float64Array): void {
  melAt(envelope, offset, scratch);
  cepstrum(scratch, rows, into);
}
const scratch = new Float64Array(melBands);

interface Aligned {
  source: Analysis;
  labels: string[];
  target: Analysis;
  pairs: FramePair[];
}

interface Means {
  tract: number;
  voiced: number[];
  unvoiced: number[];
}

/** What the person's spectrum adds to the warped source, frame by frame where both say the same. */
export function collectExemplars({ source, labels, target, pairs }: Aligned, means: Means): ExemplarTable {
  const warp = createWarp(means.tract);
  const warped = new Float32Array(binCount);
  const [sourceMel, targetMel] = [new Float64Array(melBands), new Float64Array(melBands)];
  const usable = thin(oncePerSource(pairs.filter(([s, t]) => isUsable(source, target, [s, t]))));
  const phones: string[] = [];
  const cepstra = new Float32Array(usable.length * likenessSize);
  const offsets = new Float32Array(usable.length * melBands);
  const like = new Float64Array(likenessSize);
  usable.forEach(([s, t], i) => {
    const isVoiced = (source.pitch[s] as number) > 0;
    warpFrame(warp, source.envelope, s * binCount, warped);
    melAt(warped, 0, sourceMel);
    melAt(target.envelope, t * binCount, targetMel);
    const raise = targetMel.map((value, b) => value - (sourceMel[b] as number));
    offsets.set(restrain(raise, isVoiced ? means.voiced : means.unvoiced, isVoiced), i * melBands);
    likeness(source.envelope, s * binCount, like);
    cepstra.set(like, i * likenessSize);
    phones.push(phoneKey(labels[s] ?? "", isVoiced));
  });
  return { count: usable.length, phones: phones.join(" "), cepstra: pack(cepstra), offsets: pack(offsets) };
}

function isUsable(source: Analysis, target: Analysis, [s, t]: FramePair): boolean {
  const sameVoicing = (source.pitch[s] as number) > 0 === (target.pitch[t] as number) > 0;
  return sameVoicing && source.active[s] === 1 && target.active[t] === 1;
}

function oncePerSource(pairs: FramePair[]): FramePair[] {
  const seen = new Set<number>();
  return pairs.filter(([s]) => !seen.has(s) && seen.add(s));
}

function thin(pairs: FramePair[]): FramePair[] {
  if (pairs.length <= maxExemplars) return pairs;
  return Array.from(
    { length: maxExemplars },
    (_, i) => pairs[Math.floor((i * pairs.length) / maxExemplars)] as FramePair,
  );
}

/** Keeps a misaligned frame from speaking too loudly. */
function restrain(raise: Float64Array, mean: number[], isVoiced: boolean): Float64Array {
  const level = raise.reduce((sum, value, b) => sum + value - (mean[b] as number), 0) / melBands;
  const allowed = isVoiced ? clamp(level * 0.4, maxLevelStray) : 0;
  return raise.map((value, b) => (mean[b] as number) + clamp(value - (mean[b] as number) - level, maxStray) + allowed);
}

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

function pack(values: Float32Array): string {
  const packed = Int16Array.from(values, (value) => Math.round(clamp(value * packing, 32767)));
  return Buffer.from(packed.buffer).toString("base64");
}

function unpack(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  return Float32Array.from(new Int16Array(bytes.buffer, 0, bytes.length >> 1), (value) => value / packing);
}

export function unpackExemplars({ count, phones, cepstra, offsets }: ExemplarTable): Exemplars {
  return { count, phones: phones.split(" "), cepstra: unpack(cepstra), offsets: unpack(offsets) };
}
