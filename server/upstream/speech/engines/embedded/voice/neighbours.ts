import { binCount } from "../../../dsp/grid";
import { melBands } from "../../../dsp/mel";
import type { Analysis } from "./analysis";
import { type Exemplars, likeness, likenessSize, phoneKey } from "./exemplars";

const neighbours = 10;
const leastOfPhone = 6;
/** Frames of another phone count for less. */
const strangerTrust = 0.7;

export interface OffsetFinder {
  /** Offset curve for a frame of the source, from the nearest aligned frames; false where none is near. */
  find(source: Analysis, place: { frame: number; phone: string; mean: number[] }, into: Float64Array): boolean;
}

export function createOffsetFinder(exemplars: Exemplars): OffsetFinder {
  const byPhone = new Map<string, number[]>();
  const everyVoiced: number[] = [];
  const everyUnvoiced: number[] = [];
  exemplars.phones.forEach((key, i) => {
    const known = byPhone.get(key);
    if (known) known.push(i);
    else byPhone.set(key, [i]);
    (key.endsWith(phoneKey("", false).slice(-1)) ? everyUnvoiced : everyVoiced).push(i);
  });
  const like = new Float64Array(likenessSize);
  const nearest = new Int32Array(neighbours);
  const distances = new Float64Array(neighbours);

  function search(pool: number[]): number {
    let found = 0;
    for (const index of pool) {
      const limit = found < neighbours ? Number.POSITIVE_INFINITY : (distances[found - 1] as number);
      const gap = distanceTo(index, limit);
      if (gap >= limit) continue;
      let slot = found < neighbours ? found++ : found - 1;
      while (slot > 0 && (distances[slot - 1] as number) > gap) {
        distances[slot] = distances[slot - 1] as number;
        nearest[slot] = nearest[slot - 1] as number;
        slot--;
      }
      distances[slot] = gap;
      nearest[slot] = index;
    }
    return found;
  }

  function distanceTo(index: number, limit: number): number {
    const at = index * likenessSize;
    let sum = 0.3 * ((like[0] as number) - (exemplars.cepstra[at] as number)) ** 2;
    for (let d = 1; d < likenessSize && sum < limit; d++) {
      sum += ((like[d] as number) - (exemplars.cepstra[at + d] as number)) ** 2;
    }
    return sum;
  }

  function find(
    source: Analysis,
    { frame, phone, mean }: { frame: number; phone: string; mean: number[] },
    into: Float64Array,
  ): boolean {
    const isVoiced = (source.pitch[frame] as number) > 0;
    const own = byPhone.get(phoneKey(phone, isVoiced)) ?? [];
    const isOwn = own.length >= leastOfPhone;
    const pool = isOwn ? own : isVoiced ? everyVoiced : everyUnvoiced;
    if (pool.length === 0) return false;
    likeness(source.envelope, frame * binCount, like);
    const found = search(pool);
    const trust = ((isOwn ? 1 : strangerTrust) * found) / (found + 2);
    into.fill(0);
    let total = 0;
    for (let n = 0; n < found; n++) {
      const weight = 1 / ((distances[n] as number) + (distances[0] as number) + 1);
      const at = (nearest[n] as number) * melBands;
      total += weight;
      for (let b = 0; b < melBands; b++) into[b] = (into[b] as number) + weight * (exemplars.offsets[at + b] as number);
    }
    for (let b = 0; b < melBands; b++) {
      into[b] = (mean[b] as number) * (1 - trust) + (trust * (into[b] as number)) / total;
    }
    return true;
  }

  return { find };
}
