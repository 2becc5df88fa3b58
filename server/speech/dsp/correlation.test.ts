import { expect, it } from "vitest";
import { speechLike } from "../../../tests/support/sounds";
import { createCorrelator, highestHz, lowestHz } from "./correlation";
import { hopSeconds } from "./grid";

const rate = 8000;
const width = Math.round(0.0225 * rate);
const { samples } = speechLike({ seconds: 1.1, sampleRate: rate, seed: 6 });

/** The definition, product by product. */
function correlateDirectly(frame: number, lag: number, loudest: number): number {
  const from = Math.round(frame * hopSeconds * rate) - ((width + lag) >> 1);
  const first = Math.max(0, from);
  const last = Math.min(from + width, samples.length - lag);
  if (last - first < width * 0.6) return 0;
  let [product, power, laggedPower] = [0, 0, 0];
  for (let i = first; i < last; i++) {
    const [here, later] = [samples[i] as number, samples[i + lag] as number];
    product += here * later;
    power += here * here;
    laggedPower += later * later;
  }
  return product / Math.sqrt(power * laggedPower + 1e-6 * loudest * width);
}

it("energies from running sums give the normalised correlation, at both ends too", () => {
  const correlator = createCorrelator(samples, rate);
  for (const frame of [0, 1, 2, 50, 130, 218, 219, 220]) {
    const found = correlator.correlate(frame);
    for (let lag = Math.floor(rate / highestHz); lag <= Math.ceil(rate / lowestHz); lag++) {
      expect(found[lag]).toBeCloseTo(correlateDirectly(frame, lag, correlator.loudest), 9);
    }
  }
});
