/** Separability of phones by a linear classifier: a proxy of clarity, not of what people understand. */
import type { TimelinePhoneme } from "../../server/speech/engine";
import { cholesky, frameFeatures } from "./voice-scores";

export interface LabelledSpeech {
  samples: Float32Array;
  phonemes: TimelinePhoneme[];
}

const coefficients = 16;
const deltaReach = 3;
const minPerPhone = 12;
/** Milliseconds of the first frame's centre, and between frames. */
const [firstMs, hopMs] = [12.5, 10];

interface Example {
  phone: string;
  vector: Float64Array;
}

/** Share of frames whose phone is recognised in sentences that were not in the training; every sentence is tested once. */
export function phoneAccuracy(sentences: LabelledSpeech[], folds = 4): number {
  const examples = sentences.map(toExamples);
  let [right, count] = [0, 0];
  for (let fold = 0; fold < folds; fold++) {
    const classify = trainClassifier(examples.filter((_, i) => i % folds !== fold).flat());
    for (const { phone, vector } of examples.filter((_, i) => i % folds === fold).flat()) {
      const found = classify(vector);
      if (!found.known.has(phone)) continue;
      count++;
      if (found.phone === phone) right++;
    }
  }
  return right / Math.max(1, count);
}

function toExamples({ samples, phonemes }: LabelledSpeech): Example[] {
  const cepstra = frameFeatures(samples).map(({ cepstrum }) => cepstrum.slice(0, coefficients));
  const at = (f: number) => cepstra[Math.max(0, Math.min(cepstra.length - 1, f))] as Float64Array;
  return cepstra.flatMap((cepstrum, f) => {
    const ms = firstMs + f * hopMs;
    const phone = phonemes.find(({ start, end }) => start <= ms && end > ms)?.ph;
    if (!phone) return [];
    const [before, after] = [at(f - deltaReach), at(f + deltaReach)];
    return { phone, vector: Float64Array.of(...cepstrum, ...after.map((value, d) => value - (before[d] as number))) };
  });
}

/** Gaussians of one shared covariance: linear boundaries. */
function trainClassifier(examples: Example[]) {
  const groups = new Map<string, Float64Array[]>();
  for (const { phone, vector } of examples) {
    const group = groups.get(phone) ?? [];
    groups.set(phone, group);
    group.push(vector);
  }
  for (const [phone, group] of groups) if (group.length < minPerPhone) groups.delete(phone);
  const size = 2 * coefficients;
  const covariance = Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (_u, j) => (i === j ? 0.05 : 0)),
  );
  const means = new Map<string, Float64Array>();
  const total = [...groups.values()].reduce((sum, group) => sum + group.length, 0);
  for (const [phone, group] of groups) {
    const mean = new Float64Array(size);
    for (const vector of group)
      for (let d = 0; d < size; d++) mean[d] = (mean[d] as number) + (vector[d] as number) / group.length;
    means.set(phone, mean);
    for (const vector of group) {
      for (let i = 0; i < size; i++) {
        const row = covariance[i] as Float64Array;
        const gap = (vector[i] as number) - (mean[i] as number);
        for (let j = 0; j < size; j++)
          row[j] = (row[j] as number) + (gap * ((vector[j] as number) - (mean[j] as number))) / total;
      }
    }
  }
  const root = cholesky(covariance);
  const whitened = [...means].map(([phone, mean]) => ({ phone, mean: whiten(root, mean) }));
  const known = new Set(means.keys());
  return (vector: Float64Array) => {
    const point = whiten(root, vector);
    let best = { phone: "", distance: Number.POSITIVE_INFINITY };
    for (const { phone, mean } of whitened) {
      const distance = point.reduce((sum, value, d) => sum + (value - (mean[d] as number)) ** 2, 0);
      if (distance < best.distance) best = { phone, distance };
    }
    return { phone: best.phone, known };
  };
}

function whiten(root: Float64Array[], vector: Float64Array): Float64Array {
  const solved = new Float64Array(vector.length);
  for (let i = 0; i < vector.length; i++) {
    let rest = vector[i] as number;
    for (let k = 0; k < i; k++) rest -= (root[i]?.[k] ?? 0) * (solved[k] as number);
    solved[i] = rest / (root[i]?.[i] ?? 1);
  }
  return solved;
}
