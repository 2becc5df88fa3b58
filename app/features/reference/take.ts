/** A stretch of mono sound, samples in −1…1. */
export interface Take {
  samples: Float32Array;
  sampleRate: number;
}

export const secondsOf = ({ samples, sampleRate }: Take) => samples.length / sampleRate;

export function cut({ samples, sampleRate }: Take, fromSeconds: number, lengthSeconds: number): Take {
  const from = Math.max(0, Math.round(fromSeconds * sampleRate));
  return { samples: samples.slice(from, from + Math.round(lengthSeconds * sampleRate)), sampleRate };
}

/** Below this a take is drawn as the silence it is. */
const audible = 0.02;

/** `count` heights 0–1 for drawing: the loudest sample of each equal part against the loudest of all. */
export function heights({ samples }: Take, count: number): number[] {
  const size = Math.max(1, Math.floor(samples.length / count));
  const peaks = Array.from({ length: count }, (_, index) => {
    let peak = 0;
    const end = Math.min(samples.length, (index + 1) * size);
    for (let at = index * size; at < end; at++) peak = Math.max(peak, Math.abs(samples[at] ?? 0));
    return peak;
  });
  const loudest = Math.max(audible, ...peaks);
  return peaks.map((peak) => Math.sqrt(peak / loudest));
}
