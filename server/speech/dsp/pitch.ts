import { type Correlator, createCorrelator, highestHz, lowestHz } from "./correlation";
import { frameCount, speechRate } from "./grid";
import { resample } from "./resample";

const rate = 8000;
/** Band of the lowest harmonics, and its sample rate. */
const lowBandHz = 700;
const lowRate = 4000;
/** Power share of that band at which its correlation has zero and full weight. */
const lowShareRange = [0.015, 0.05] as const;
const lowTrust = 0.95;
const voicingThreshold = 0.42;
const octaveCost = 0.015;
const jumpCost = 0.9;
const voicingCost = 0.16;
const maxCandidates = 6;
const states = maxCandidates + 1;
const shortestLag = Math.floor(rate / highestHz);
const longestLag = Math.ceil(rate / lowestHz);
const shortestRunFrames = 5;

interface Candidates {
  frames: number;
  hz: Float64Array;
  strength: Float64Array;
  count: Uint8Array;
  best: Float64Array;
  silence: Float64Array;
}

/**
 * Pitch in Hz every 5 ms, 0 if unvoiced: candidates from normalised cross-correlation (as in RAPT),
 * the track through them by dynamic programming.
 */
export function trackPitch(samples: ArrayLike<number>): Float32Array {
  const resampled = highPass(resample(samples, speechRate, rate));
  const whole = createCorrelator(resampled, rate);
  const low = createCorrelator(lowBandOf(resampled), lowRate);
  const candidates = findCandidates(whole, low, frameCount(samples.length));
  const pitch = bestTrack(candidates);
  dropShortRuns(pitch);
  return pitch;
}

function highPass(samples: Float32Array): Float32Array {
  let previous = 0;
  let filtered = 0;
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i] as number;
    filtered = value - previous + 0.985 * filtered;
    previous = value;
    samples[i] = filtered;
  }
  return samples;
}

/** The lowest harmonics; with fast pitch falls, only they remain periodic. */
function lowBandOf(resampled: Float32Array): Float32Array {
  return resample(resample(resampled, rate, lowBandHz * 2), lowBandHz * 2, lowRate);
}

function findCandidates(whole: Correlator, low: Correlator, frames: number): Candidates {
  const candidates: Candidates = {
    frames,
    hz: new Float64Array(frames * maxCandidates),
    strength: new Float64Array(frames * maxCandidates),
    count: new Uint8Array(frames),
    best: new Float64Array(frames),
    silence: new Float64Array(frames),
  };
  for (let f = 0; f < frames; f++) {
    const level = whole.powerAt(f) / (whole.loudest + 1e-12);
    candidates.silence[f] = level < 1e-4 ? 0.5 : level < 1e-3 ? 0.15 : 0;
    if (level < 3e-5) continue;
    const correlation = whole.correlate(f);
    const lowShare = low.powerAt(f) / (whole.powerAt(f) + 1e-12);
    const trust =
      lowTrust * Math.min(1, Math.max(0, (lowShare - lowShareRange[0]) / (lowShareRange[1] - lowShareRange[0])));
    if (trust > 0) mergeLowBand(correlation, low.correlate(f), trust);
    selectPeaks(correlation, candidates, f);
  }
  return candidates;
}

/** The square root compensates the loss of correlation in fast falls. */
function mergeLowBand(correlation: Float64Array, low: Float64Array, trust: number) {
  for (let lag = shortestLag - 1; lag <= longestLag + 1; lag++) {
    const place = (lag * lowRate) / rate;
    const index = place | 0;
    const left = low[index] as number;
    const value = left + ((low[index + 1] ?? left) - left) * (place - index);
    correlation[lag] = Math.max(correlation[lag] as number, trust * Math.sqrt(Math.max(0, value)));
  }
}

function selectPeaks(correlation: Float64Array, candidates: Candidates, frame: number) {
  const peaks: Array<{ hz: number; strength: number; rank: number }> = [];
  for (let lag = shortestLag; lag <= longestLag; lag++) {
    const left = correlation[lag - 1] as number;
    const top = correlation[lag] as number;
    const right = correlation[lag + 1] as number;
    if (top <= 0.25 || top < left || top <= right) continue;
    const curve = left - 2 * top + right;
    const shift = curve === 0 ? 0 : (0.5 * (left - right)) / curve;
    const hz = rate / (lag + shift);
    const strength = top - 0.25 * (left - right) * shift;
    peaks.push({ hz, strength, rank: strength + octaveCost * Math.log2(hz) });
  }
  peaks.sort((a, b) => b.rank - a.rank);
  const selected = peaks.slice(0, maxCandidates);
  candidates.count[frame] = selected.length;
  selected.forEach((peak, k) => {
    candidates.hz[frame * maxCandidates + k] = peak.hz;
    candidates.strength[frame * maxCandidates + k] = Math.min(1, peak.strength);
    candidates.best[frame] = Math.max(candidates.best[frame] as number, peak.strength);
  });
}

/** State 0 is unvoiced, state k + 1 the frame's candidate k. */
function bestTrack(candidates: Candidates): Float32Array {
  const cost = new Float64Array(candidates.frames * states).fill(Number.POSITIVE_INFINITY);
  const backPointers = new Int8Array(candidates.frames * states);
  const countAt = (f: number) => candidates.count[f] as number;
  const hzAt = (f: number, state: number) => candidates.hz[f * maxCandidates + state - 1] as number;
  const local = (f: number, state: number) => {
    if (state === 0) return Math.max(0, (candidates.best[f] as number) - voicingThreshold);
    const strength = candidates.strength[f * maxCandidates + state - 1] as number;
    return 1 - strength + octaveCost * Math.log2(highestHz / hzAt(f, state)) + (candidates.silence[f] as number);
  };
  for (let s = 0; s <= countAt(0); s++) cost[s] = local(0, s);
  for (let f = 1; f < candidates.frames; f++) {
    for (let s = 0; s <= countAt(f); s++) {
      let cheapest = Number.POSITIVE_INFINITY;
      let from = 0;
      for (let p = 0; p <= countAt(f - 1); p++) {
        let step = voicingCost;
        if (p === 0 && s === 0) step = 0;
        else if (p > 0 && s > 0) step = jumpCost * Math.abs(Math.log2(hzAt(f, s) / hzAt(f - 1, p)));
        const total = (cost[(f - 1) * states + p] as number) + step;
        if (total < cheapest) {
          cheapest = total;
          from = p;
        }
      }
      cost[f * states + s] = cheapest + local(f, s);
      backPointers[f * states + s] = from;
    }
  }
  return traceBack(candidates, cost, backPointers);
}

function traceBack(candidates: Candidates, cost: Float64Array, backPointers: Int8Array): Float32Array {
  const pitch = new Float32Array(candidates.frames);
  const last = candidates.frames - 1;
  let state = 0;
  for (let k = 1; k <= (candidates.count[last] as number); k++) {
    if ((cost[last * states + k] as number) < (cost[last * states + state] as number)) state = k;
  }
  for (let f = last; f >= 0; f--) {
    pitch[f] = state === 0 ? 0 : (candidates.hz[f * maxCandidates + state - 1] as number);
    state = backPointers[f * states + state] as number;
  }
  return pitch;
}

function dropShortRuns(pitch: Float32Array) {
  let from = 0;
  while (from < pitch.length) {
    if (pitch[from] === 0) {
      from++;
      continue;
    }
    let to = from;
    while (to < pitch.length && pitch[to] !== 0) to++;
    if (to - from < shortestRunFrames) pitch.fill(0, from, to);
    from = to;
  }
}
