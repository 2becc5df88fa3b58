const windowSeconds = 0.04;
/** A child's voice reaches 500 Hz. */
const pitchRange = { lowestHz: 65, highestHz: 500 };

export interface FoundPitch {
  /** Normalised autocorrelation at the period, 0–1. */
  strength: number;
  hz: number;
}

const nothing: FoundPitch = { strength: 0, hz: 55 };

/** Finds the period around a sample by normalised autocorrelation. */
export function createPitchSearch(samples: Float32Array, rate: number): (centre: number) => FoundPitch {
  const size = Math.round(windowSeconds * rate);
  const shortest = Math.floor(rate / pitchRange.highestHz);
  const longest = Math.ceil(rate / pitchRange.lowestHz);
  const correlations = new Float32Array(longest + 2);
  const energies = new Float64Array(samples.length + 1);
  for (let i = 0; i < samples.length; i++) energies[i + 1] = (energies[i] as number) + (samples[i] as number) ** 2;
  const energyAt = (start: number) => (energies[start + size] as number) - (energies[start] as number) + 1e-9;

  return (centre) => {
    const start = centre - ((size + longest) >> 1);
    if (start < 0 || start + size + longest + 1 >= samples.length) return nothing;
    const energy = energyAt(start);
    let best = 0;
    for (let lag = shortest - 1; lag <= longest + 1; lag++) {
      const value = correlation(samples, { start, size, lag }) / Math.sqrt(energy * energyAt(start + lag));
      correlations[lag] = value;
      if (lag >= shortest && lag <= longest) best = Math.max(best, value);
    }
    // The first peak near the maximum; later ones are multiples of the period.
    for (let lag = shortest; lag <= longest; lag++) {
      const before = correlations[lag - 1] as number;
      const here = correlations[lag] as number;
      const after = correlations[lag + 1] as number;
      if (here < 0.87 * best || here < before || here < after) continue;
      const bend = before - 2 * here + after;
      const shift = bend === 0 ? 0 : (before - after) / (2 * bend);
      return { strength: Math.max(0, Math.min(1, here)), hz: rate / (lag + shift) };
    }
    return nothing;
  };
}

/** Every other product is enough and takes half the time. */
function correlation(
  samples: Float32Array,
  { start, size, lag }: { start: number; size: number; lag: number },
): number {
  let dot = 0;
  for (let i = start; i < start + size; i += 2) dot += (samples[i] as number) * (samples[i + lag] as number);
  return 2 * dot;
}
