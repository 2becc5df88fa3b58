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
  const folded = new Float64Array(size);
  const half = size >> 1;

  function forward(samples: Float64Array, re: Float64Array, im: Float64Array) {
    transform.realTransform(spectrum, samples);
    for (let k = 0; k <= half; k++) {
      re[k] = spectrum[2 * k] as number;
      im[k] = spectrum[2 * k + 1] as number;
    }
  }

  // Uses the Hartley transform, which is its own inverse, so that one real transform suffices.
  function inverse(re: Float64Array, im: Float64Array, samples: Float64Array) {
    folded[0] = re[0] as number;
    folded[half] = re[half] as number;
    for (let k = 1; k < half; k++) {
      folded[k] = (re[k] as number) - (im[k] as number);
      folded[size - k] = (re[k] as number) + (im[k] as number);
    }
    transform.realTransform(spectrum, folded);
    samples[0] = (spectrum[0] as number) / size;
    samples[half] = (spectrum[size] as number) / size;
    for (let n = 1; n < half; n++) {
      const cosine = spectrum[2 * n] as number;
      const sine = spectrum[2 * n + 1] as number;
      samples[n] = (cosine - sine) / size;
      samples[size - n] = (cosine + sine) / size;
    }
  }

  return { size, forward, inverse };
}
