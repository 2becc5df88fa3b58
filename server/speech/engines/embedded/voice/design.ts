import { bandHz, cepstrumSize, melBands } from "../../../dsp/mel";
import { toSemitones } from "../../../dsp/pitch-range";
import type { VoiceDesign, VoiceProfile } from "../../../engine";
import { type EmbeddedVoice, engineId, engineVersion, type SpectralShape } from "./voice";

/**
 * Natural log power by mel band that brings designed voices without a tilt to the long-term spectrum of speech in
 * Byrne et al., J. Acoust. Soc. Am. 96 (1994), 200 to 6,300 Hz within 0.3 dB. Without it they have up to 7 dB too much
 * at 2.5 to 4 kHz.
 */
const speechTrim = [
  0.98, 0.98, 0.43, -0.18, -0.05, 0.15, 0.21, 0.38, 0.2, -0.17, -0.18, -0.12, 0.03, 0.18, 0.53, 0.91, 1.05, 0.89, 0.73,
  0.08, -0.56, -1.05, -1.36, -1.6, -1.6, -1.59, -1.49, -1, -0.35, 0.29, 0.43, 0.44, 0.46, 0.51, 0.58, 0.65, 1.44, 1.6,
  1.6, 1.6,
];
const tiltFromHz = 1000;
/** dB of power → natural log power. */
const logPowerPerDb = Math.LN10 / 10;

/**
 * Mean log power of the source voice's frames by mel band, on the calibration text. Its formants stand out twice as much
 * as people's do (variance of cepstra 13, people 7): designed voices keep a share of the distance from these.
 */
const sourceMel = {
  voiced: [
    -3.49, -2.85, -2.35, -2.26, -2.37, -2.89, -3.86, -5.06, -6.4, -7.79, -9, -9.58, -9.87, -9.97, -10.18, -10.69, -10.8,
    -10.54, -10.88, -9.97, -8.12, -7.76, -8.62, -8.43, -7.29, -7.46, -8.92, -12.12, -14.09, -14.7, -15.01, -15.16,
    -14.73, -12.74, -11.86, -13.46, -15.42, -16.13, -16.37, -16.35,
  ],
  unvoiced: [
    -8.57, -8.55, -8.53, -8.55, -8.63, -8.77, -8.96, -9.24, -9.54, -9.82, -10.06, -10.2, -10.17, -9.96, -9.59, -9.18,
    -8.91, -8.8, -8.69, -8.55, -8.53, -8.6, -8.7, -8.82, -8.85, -8.79, -8.85, -9.03, -9.17, -9.38, -9.63, -9.88, -9.98,
    -10.32, -10.76, -11.37, -12.31, -12.86, -13.45, -13.91,
  ],
} as const;
const contrastShare = { voiced: 0.7, unvoiced: 0.9 } as const;

/** A curve by mel band as the vocal-tract ratio moves it. */
function warpCurve(curve: readonly number[], tract: number): number[] {
  return Array.from(curve, (_, band) => {
    const hz = bandHz(band) / tract;
    let left = 0;
    while (left < melBands - 2 && bandHz(left + 1) < hz) left++;
    const share = Math.min(1, Math.max(0, (hz - bandHz(left)) / (bandHz(left + 1) - bandHz(left))));
    return (curve[left] as number) * (1 - share) + (curve[left + 1] as number) * share;
  });
}

/** Creates a voice from parameters; deterministic. */
export function designVoice(design: VoiceDesign): VoiceProfile {
  const { pitchHz, pitchSpreadSt, tract, breath, tilt, rate } = design;
  const medianSt = toSemitones(pitchHz);
  const ratio = Math.min(1.3, Math.max(0.84, tract));
  const shapeOf = (kind: "voiced" | "unvoiced", tiltShare: number): SpectralShape => {
    const source = warpCurve(sourceMel[kind], ratio);
    const slopeAt = (band: number) =>
      tiltShare * tilt * Math.max(0, Math.log2(bandHz(band) / tiltFromHz)) * logPowerPerDb;
    return {
      source,
      voice: source.map((value, band) => value + slopeAt(band) + (speechTrim[band] as number)),
      // The level keeps its range.
      spread: Array.from({ length: cepstrumSize }, (_, i) => (i === 0 ? 1 : contrastShare[kind])),
    };
  };
  const voice: EmbeddedVoice = {
    pitch: { medianSt, spreadSt: pitchSpreadSt, highSt: medianSt + 1.7 * pitchSpreadSt },
    tract: ratio,
    breath: Math.min(1, Math.max(0, breath)),
    rate,
    voiced: shapeOf("voiced", 1),
    unvoiced: shapeOf("unvoiced", 0.5),
  };
  return { engine: engineId, version: engineVersion, parameters: voice };
}
