/** 16-bit samples to −1…1. */
export const toFloats = (pcm: ArrayLike<number>): Float32Array => Float32Array.from(pcm, (value) => value / 32_768);

/** Samples in −1…1 to 16 bits, clipped; into `pcm` where it is given. */
export function toPcm<Target extends Int16Array>(
  samples: ArrayLike<number>,
  pcm: Target = new Int16Array(samples.length) as Target,
): Target {
  for (let i = 0; i < pcm.length; i++) pcm[i] = Math.round(Math.max(-1, Math.min(1, samples[i] as number)) * 32_767);
  return pcm;
}

/** Concatenates parts into a new array of this type. */
export function concatArrays<Joined extends Int16Array | Float32Array | Uint8Array>(
  type: new (length: number) => Joined,
  parts: ReadonlyArray<ArrayLike<number>>,
): Joined {
  const joined = new type(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
