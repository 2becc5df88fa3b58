/** RNNoise hears frames of 10 ms at 48 kHz, with the values of 16-bit samples. */
export const denoiseRate = 48_000;
const frameSize = 480;
const bytesPerSample = 4;
const fullScale = 32_768;

/** The used part of the module. */
export interface Rnnoise {
  HEAPF32: Float32Array;
  _malloc(bytes: number): number;
  _rnnoise_create(): number;
  _rnnoise_destroy(state: number): void;
  /** Addresses of the state and of the frames, which may be one; returns the probability of speech. */
  _rnnoise_process_frame(state: number, output: number, input: number): number;
}

/** Mono samples at 48 kHz without their noise; for the browser and for the server. */
export function denoise(rnnoise: Rnnoise, samples: Float32Array): Float32Array {
  const cleaned = new Float32Array(samples.length);
  const state = rnnoise._rnnoise_create();
  const address = rnnoise._malloc(frameSize * bytesPerSample);
  const at = address / bytesPerSample;
  for (let start = 0; start < samples.length; start += frameSize) {
    const frame = new Float32Array(frameSize);
    frame.set(samples.subarray(start, start + frameSize));
    rnnoise.HEAPF32.set(
      frame.map((value) => value * fullScale),
      at,
    );
    rnnoise._rnnoise_process_frame(state, address, address);
    const spoken = rnnoise.HEAPF32.slice(at, at + Math.min(frameSize, samples.length - start));
    cleaned.set(
      spoken.map((value) => Math.max(-1, Math.min(1, value / fullScale))),
      start,
    );
  }
  rnnoise._rnnoise_destroy(state);
  return cleaned;
}
