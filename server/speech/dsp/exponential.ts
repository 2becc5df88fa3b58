/** Steps of the tables per power of two and per turn. */
const expSteps = 256;
const turnSteps = 1024;
/** Exponents of two in the table are −128…127. */
const exponents = 256;
const expScale = expSteps / Math.LN2;
const turnScale = turnSteps / (2 * Math.PI);
/** Reciprocals: with divisions, `exponentiate` takes 14 % longer. */
const expStep = 1 / expScale;
const turnStep = 1 / turnScale;
/** Whole turns that keep table positions positive. */
const turnOffset = turnSteps * turnSteps;

const powers = Float64Array.from({ length: exponents }, (_, i) => 2 ** (i - exponents / 2));
const fractions = Float64Array.from({ length: expSteps }, (_, i) => 2 ** (i / expSteps));
const cosines = Float64Array.from({ length: turnSteps }, (_, i) => Math.cos(i / turnScale));
const sines = Float64Array.from({ length: turnSteps }, (_, i) => Math.sin(i / turnScale));

/**
 * `Math.exp` from tables and a short series, for loops over spectra: relative error below 1e-9, four times as fast.
 */
export function fastExp(x: number): number {
  const place = x * expScale + (expSteps * exponents) / 2;
  if (!(place > 0 && place < expSteps * exponents - 1)) return Math.exp(x);
  const step = (place + 0.5) | 0;
  const rest = (place - step) * expStep;
  const whole = (powers[step >> 8] as number) * (fractions[step & (expSteps - 1)] as number);
  return whole * (1 + rest * (1 + 0.5 * rest));
}

/** Replaces complex logarithms by their exponentials; phases within ±6,000 radians, error below 1e-9 of the magnitude. */
export function exponentiate(re: Float64Array, im: Float64Array): void {
  for (let k = 0; k < re.length; k++) {
    const magnitude = fastExp(re[k] as number);
    const place = (im[k] as number) * turnScale + turnOffset;
    const step = (place + 0.5) | 0;
    const rest = (place - step) * turnStep;
    const cosine = cosines[step & (turnSteps - 1)] as number;
    const sine = sines[step & (turnSteps - 1)] as number;
    const restCosine = 1 - 0.5 * rest * rest;
    const restSine = rest * (1 - rest * rest * (1 / 6));
    re[k] = magnitude * (cosine * restCosine - sine * restSine);
    im[k] = magnitude * (sine * restCosine + cosine * restSine);
  }
}
