import { binCount, speechRate } from "../../../dsp/grid";
import { bandHz, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands, melEnergyAt } from "../../../dsp/mel";
import { mean } from "../../../dsp/statistics";
import { type Analysis, selectFrames } from "./analysis";
import type { EmbeddedVoice, SpectralShape } from "./voice";

/** Spectra of the voiced or unvoiced frames of speech. */
interface SpectralStatistics {
  frames: number;
  /** Natural log power by mel band. */
  mean: Float64Array;
  /** Standard deviation by cepstral coefficient. */
  deviation: Float64Array;
}

export interface SpeechSpectra {
  voiced: SpectralStatistics;
  unvoiced: SpectralStatistics;
  /** Log of the mean power by mel band. */
  power: Float64Array;
}

/** Limits of the scale of cepstral coefficients, and of the level. */
const spreadRange = [0.6, 1.7] as const;
const levelRange = [0.7, 1.05] as const;
/** Unvoiced frames of a recording below which its consonants follow its vowels, and at which they are half trusted. */
const unvoicedFrames = { least: 25, half: 80 };
const maxTrim = 1.8;
/** Assumed spectral fall per band above the bandwidth of the recording (natural log power). */
const fallPerBand = 0.35;

export function describeSpectra(speech: Analysis): SpeechSpectra {
  const power = longTermPower(speech);
  const last = lastBandBelow(findBandwidth(power));
  extrapolate(power, last);
  return {
    voiced: describeFrames(speech, selectFrames(speech, "voiced", 30), last),
    unvoiced: describeFrames(speech, selectFrames(speech, "unvoiced", 32), last),
    power,
  };
}

function describeFrames({ envelope }: Analysis, frames: number[], lastBand: number): SpectralStatistics {
  const rows = frames.map((f) => {
    const mel = new Float64Array(melBands);
    logMelAt(envelope, f * binCount, mel);
    extrapolate(mel, lastBand);
    return mel;
  });
  const means = new Float64Array(melBands).map((_, b) => mean(rows.map((row) => row[b] as number)));
  const squares = new Float64Array(cepstrumSize);
  const coefficients = new Float64Array(cepstrumSize);
  for (const row of rows) {
    cepstrum(
      row.map((value, b) => value - (means[b] as number)),
      cepstrumRows,
      coefficients,
    );
    for (let i = 0; i < cepstrumSize; i++) squares[i] = (squares[i] as number) + (coefficients[i] as number) ** 2;
  }
  return {
    frames: frames.length,
    mean: means,
    deviation: squares.map((square) => Math.sqrt(square / Math.max(1, frames.length))),
  };
}

/** Log of mean power by mel band over active frames. */
export function longTermPower({ envelope, active, frames }: Analysis): Float64Array {
  const sums = new Float64Array(melBands);
  const power = new Float64Array(melBands);
  let count = 0;
  for (let f = 0; f < frames; f++) {
    if (active[f] === 0) continue;
    count++;
    melEnergyAt(envelope, f * binCount, power);
    for (let b = 0; b < melBands; b++) sums[b] = (sums[b] as number) + (power[b] as number);
  }
  return sums.map((sum) => Math.log(sum / Math.max(1, count) + 1e-12));
}

const clamp = (value: number, [least, most]: readonly [number, number]) => Math.min(most, Math.max(least, value));

/** The shapes that turn speech with the spectra `source` into speech with those of `target`. */
export function learnShapes(target: SpeechSpectra, source: SpeechSpectra): Pick<EmbeddedVoice, "voiced" | "unvoiced"> {
  const spreads = (kind: "voiced" | "unvoiced") =>
    Array.from(source[kind].deviation, (deviation, i) =>
      clamp((target[kind].deviation[i] as number) / (deviation || 1), i === 0 ? levelRange : spreadRange),
    );
  const voiced: SpectralShape = {
    source: Array.from(source.voiced.mean),
    voice: Array.from(target.voiced.mean),
    spread: spreads("voiced"),
  };
  const change = voiced.voice.map((value, b) => value - (voiced.source[b] as number));
  const { frames } = target.unvoiced;
  const trust = frames <= unvoicedFrames.least ? 0 : frames / (frames + unvoicedFrames.half);
  const own = target.unvoiced.mean.map((value, b) => value - (source.unvoiced.mean[b] as number));
  // Consonants keep their level relative to vowels.
  const level = mean(change) - mean(own);
  const unvoiced: SpectralShape = {
    source: Array.from(source.unvoiced.mean),
    voice: Array.from(
      source.unvoiced.mean,
      (value, b) => value + trust * ((own[b] as number) + level) + (1 - trust) * (change[b] as number),
    ),
    spread: spreads("unvoiced").map((spread, i) => (i === 0 ? 1 : 1 + trust * (spread - 1))),
  };
  return { voiced, unvoiced };
}

/** Moves the shapes by what the long-term spectrum of converted speech lacks, without the level. */
export function trimShapes(voice: EmbeddedVoice, target: SpeechSpectra, converted: SpeechSpectra): void {
  const lacking = target.power.map((value, b) => value - (converted.power[b] as number));
  const level = mean(lacking);
  for (const shape of [voice.voiced, voice.unvoiced]) {
    shape.voice = shape.voice.map((value, b) => value + clamp((lacking[b] as number) - level, [-maxTrim, maxTrim]));
  }
}

/** Drop between adjacent bands that marks a band limit (natural log power). */
const edgeDrop = 2.2;
const floorBelowPeak = 9;
const searchFromHz = 3000;

/** Bandwidth in Hz; lower for telephone and 16 kHz recordings. */
function findBandwidth(power: Float64Array): number {
  const peak = Math.max(...power);
  for (let b = 1; b < melBands; b++) {
    if (bandHz(b) < searchFromHz) continue;
    const drop = (power[b - 1] as number) - (power[b] as number);
    if (drop > edgeDrop && Math.max(...power.subarray(b)) < peak - floorBelowPeak) return bandHz(b - 1);
  }
  return speechRate / 2;
}

/** The last mel band within a bandwidth. */
function lastBandBelow(bandwidthHz: number): number {
  let last = 0;
  for (let b = 0; b < melBands; b++) if (bandHz(b) <= bandwidthHz - 300) last = b;
  return last;
}

function extrapolate(mel: Float64Array, last: number) {
  for (let b = last + 1; b < melBands; b++) mel[b] = (mel[last] as number) - fallPerBand * (b - last);
}
