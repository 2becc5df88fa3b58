import { speechRate } from "../../../dsp/grid";
import { bandHz, melBands } from "../../../dsp/mel";
import type { Analysis } from "./analysis";
import { longTermPower } from "./moments";

/** A drop this steep between two neighbouring bands, onto the floor, is a filter's edge, not a voice (natural log power). */
const edgeDrop = 2.2;
const floorBelowPeak = 9;
const searchFromHz = 3000;

/** Hz up to which a recording really holds sound: telephone and 16 kHz recordings end early. */
export function findBandwidth(speech: Analysis): number {
  const power = longTermPower(speech);
  const peak = power.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  for (let b = 1; b < melBands; b++) {
    if (bandHz(b) < searchFromHz) continue;
    const drop = (power[b - 1] as number) - (power[b] as number);
    const above = power.subarray(b).reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    if (drop > edgeDrop && above < peak - floorBelowPeak) return bandHz(b - 1);
  }
  return speechRate / 2;
}
