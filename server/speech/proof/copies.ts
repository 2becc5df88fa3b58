import { mean } from "../dsp/statistics";
import { type ProofSound, toFrames } from "./frames";

const bands = 24;
/** Frames of a patch: a quarter of a second. */
const span = 25;
const size = bands * span;
/** Frames between the patches that are looked up. */
const stride = 5;
/** Share of active frames that a patch needs to be looked up. */
const spokenShare = 0.8;
/** Log energies below a band's mean are held here. */
const floor = -6;
/** Patches that hardly change are not brought to unit length. */
const leastNorm = 8;

/**
 * Looks for parts of one recording in another: for every quarter second of speech in `spoken`, its best correlation with
 * any quarter second of `reference`. A person never says a syllable twice exactly alike.
 */
export function findCopies(spoken: ProofSound, reference: ProofSound): number[] {
  const ours = patchesOf(spoken, stride, spokenShare);
  const theirs = patchesOf(reference, 1, 0);
  return ours.map((patch) => {
    let best = -1;
    for (const other of theirs) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += (patch[i] as number) * (other[i] as number);
      if (sum > best) best = sum;
    }
    return best;
  });
}

function patchesOf(sound: ProofSound, every: number, leastShare: number): Float32Array[] {
  const { mel, active } = toFrames(sound, { bands, lowestHz: 150, highestHz: 5500 });
  const spoken = mel.filter((_, f) => active[f]);
  const means = Array.from({ length: bands }, (_, b) => mean(spoken.map((row) => row[b] as number)));
  const levels = mel.map((row) => row.map((value, b) => Math.max(value - (means[b] as number), floor)));
  const patches: Float32Array[] = [];
  for (let f = 0; f + span < levels.length; f += every) {
    const share = active.slice(f, f + span).filter(Boolean).length / span;
    if (leastShare === 0 || share > leastShare) patches.push(toPatch(levels.slice(f, f + span)));
  }
  return patches;
}

/** Each band without its mean, the whole at unit length. */
function toPatch(rows: Float64Array[]): Float32Array {
  const patch = new Float32Array(size);
  let square = 0;
  for (let b = 0; b < bands; b++) {
    const level = mean(rows.map((row) => row[b] as number));
    for (const [i, row] of rows.entries()) {
      const value = (row[b] as number) - level;
      patch[b * span + i] = value;
      square += value * value;
    }
  }
  const norm = Math.max(leastNorm, Math.sqrt(square));
  return patch.map((value) => value / norm);
}
