import FFT from "fft.js";

export interface RealFft {
  readonly size: number;
  /** Half spectrum (size / 2 + 1 bins) of `size` real samples. */
  forward(samples: Float64Array, re: Float64Array, im: Float64Array): void;
  /** `size` real samples from a half spectrum. */
  inverse(re: Float64Array, im: Float64Array, samples: Float64Array): void;
}

/** Real transforms of one power-of-two size. Not reentrant: an instance reuses its buffers. */
export function createFft(size: number): RealFft {
  const transform = new FFT(size);
  const spectrum = transform.createComplexArray() as number[];
  const signal = transform.createComplexArray() as number[];
  const half = size >> 1;

  function forward(samples: Float64Array, re: Float64Array, im: Float64Array) {
    transform.realTransform(spectrum, samples);
    for (let k = 0; k <= half; k++) {
      re[k] = spectrum[2 * k] as number;
      im[k] = spectrum[2 * k + 1] as number;
    }
  }

  function inverse(re: Float64Array, im: Float64Array, samples: Float64Array) {
    for (let k = 0; k <= half; k++) {
      spectrum[2 * k] = re[k] as number;
      spectrum[2 * k + 1] = im[k] as number;
    }
    transform.completeSpectrum(spectrum);
    transform.inverseTransform(signal, spectrum);
    for (let n = 0; n < size; n++) samples[n] = signal[2 * n] as number;
  }

  return { size, forward, inverse };
}
