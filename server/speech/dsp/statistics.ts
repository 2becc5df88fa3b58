/** 0 for no values. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / Math.max(1, values.length);
}

/** Standard deviation; 0 for no values. */
export function deviation(values: ArrayLike<number>): number {
  const middle = mean(values);
  return Math.sqrt(mean(Array.from(values, (value) => (value - middle) ** 2)));
}

/** Linear interpolation between the sorted values; 0 for no values. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? 0;
  return low + ((sorted[Math.ceil(place)] ?? 0) - low) * (place - Math.floor(place));
}

/** Root mean square. */
export function rms(values: ArrayLike<number>): number {
  return Math.sqrt(mean(Array.from(values, (value) => value * value)));
}
