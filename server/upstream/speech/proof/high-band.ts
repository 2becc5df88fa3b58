import { type ProofSound, proofRate } from "./frames";

const speechHz = { from: 300, to: 3400 };
const highHz = { from: 4200, to: 7000 };

/** Level of 4.2–7 kHz relative to 300–3400 Hz where something is said, dB: a telephone band has nothing there. */
export function measureHighBand({ spectra, active }: ProofSound): number {
  const spoken = spectra.filter((_, f) => active[f]);
  const levelOf = ({ from, to }: typeof speechHz) => {
    let sum = 0;
    let count = 0;
    for (const spectrum of spoken) {
      const hzPerBin = proofRate / 2 / (spectrum.length - 1);
      for (let k = Math.round(from / hzPerBin); k <= Math.round(to / hzPerBin); k++) {
        sum += spectrum[k] as number;
        count++;
      }
    }
    return 10 * Math.log10(sum / Math.max(1, count) + 1e-12);
  };
  return levelOf(highHz) - levelOf(speechHz);
}
