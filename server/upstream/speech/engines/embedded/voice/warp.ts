import { binCount } from "../../../dsp/grid";

const last = binCount - 1;

/** A vocal tract's ratio as a map of bins: straight up to a knee at 80 % of the band, then to the edge. */
export interface Warp {
  tract: number;
  index: Int16Array;
  share: Float32Array;
}

export function createWarp(tract: number): Warp {
  const index = new Int16Array(binCount);
  const share = new Float32Array(binCount);
  const kneeFrom = (0.8 * last) / Math.max(1, tract);
  const kneeTo = kneeFrom * tract;
  for (let k = 0; k <= last; k++) {
    const above = kneeFrom + ((k - kneeTo) * (last - kneeFrom)) / (last - kneeTo);
    const source = k <= kneeTo ? k / tract : above;
    index[k] = Math.min(last - 1, source | 0);
    share[k] = source - (index[k] as number);
  }
  return { tract, index, share };
}

/** The frame at `offset`, warped, into the first bins of `into`. */
export function warpFrame(warp: Warp, envelope: Float32Array, offset: number, into: Float32Array): void {
  for (let k = 0; k < binCount; k++) {
    const from = offset + (warp.index[k] as number);
    const left = envelope[from] as number;
    into[k] = left + ((envelope[from + 1] as number) - left) * (warp.share[k] as number);
  }
}
