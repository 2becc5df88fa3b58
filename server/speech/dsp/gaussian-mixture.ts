import { createNoise } from "./noise";

/** A mixture of Gaussians with diagonal covariance. */
export interface GaussianMixture {
  size: number;
  /** Log weight and normalisation of each component. */
  offsets: Float64Array;
  means: Float64Array[];
  precisions: Float64Array[];
}

const rounds = 12;

/** Expectation maximisation from random points; variances stay above 3 % of the overall variance. */
export function trainGaussianMixture(points: Float64Array[], components: number, iterations = rounds): GaussianMixture {
  const size = points[0]?.length ?? 0;
  const overall = moments(points, size);
  const noise = createNoise(3);
  let weights = new Float64Array(components).fill(1 / components);
  let means = Array.from({ length: components }, () =>
    Float64Array.from(points[Math.floor(noise.uniform() * points.length)] as Float64Array),
  );
  let variances = means.map(() => overall.variance.slice());
  let mixture = toMixture(weights, means, variances);
  const shares = new Float64Array(components);
  for (let round = 0; round < iterations; round++) {
    const mass = new Float64Array(components).fill(1e-3);
    const sums = means.map(() => new Float64Array(size));
    const squares = means.map(() => new Float64Array(size));
    for (const point of points) {
      logLikelihood(mixture, point, shares);
      for (let m = 0; m < components; m++) {
        const share = shares[m] as number;
        if (share < 1e-4) continue;
        mass[m] = (mass[m] as number) + share;
        const [sum, square] = [sums[m] as Float64Array, squares[m] as Float64Array];
        for (let d = 0; d < size; d++) {
          const weighted = share * (point[d] as number);
          sum[d] = (sum[d] as number) + weighted;
          square[d] = (square[d] as number) + weighted * (point[d] as number);
        }
      }
    }
    weights = mass.map((n) => n / points.length);
    means = sums.map((sum, m) => sum.map((v) => v / (mass[m] as number)));
    variances = squares.map((square, m) =>
      square.map((v, d) => {
        const mean = (means[m] as Float64Array)[d] as number;
        return Math.max(v / (mass[m] as number) - mean * mean, (overall.variance[d] as number) * 0.03);
      }),
    );
    mixture = toMixture(weights, means, variances);
  }
  return mixture;
}

function moments(points: Float64Array[], size: number) {
  const mean = new Float64Array(size);
  const variance = new Float64Array(size);
  for (const point of points) for (let d = 0; d < size; d++) mean[d] = (mean[d] as number) + (point[d] as number);
  for (let d = 0; d < size; d++) mean[d] = (mean[d] as number) / points.length;
  for (const point of points) {
    for (let d = 0; d < size; d++) {
      variance[d] = (variance[d] as number) + ((point[d] as number) - (mean[d] as number)) ** 2 / points.length;
    }
  }
  return { mean, variance };
}

function toMixture(weights: Float64Array, means: Float64Array[], variances: Float64Array[]): GaussianMixture {
  const offsets = weights.map((weight, m) => {
    const variance = variances[m] as Float64Array;
    return variance.reduce((sum, v) => sum - 0.5 * Math.log(2 * Math.PI * v), Math.log(weight + 1e-12));
  });
  return { size: weights.length, offsets, means, precisions: variances.map((v) => v.map((x) => 0.5 / x)) };
}

/** Log likelihood of a point; writes the posterior of each component to `shares`. */
export function logLikelihood(mixture: GaussianMixture, point: Float64Array, shares: Float64Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let m = 0; m < mixture.size; m++) {
    const mean = mixture.means[m] as Float64Array;
    const precision = mixture.precisions[m] as Float64Array;
    let score = mixture.offsets[m] as number;
    for (let d = 0; d < point.length; d++) {
      const distance = (point[d] as number) - (mean[d] as number);
      score -= distance * distance * (precision[d] as number);
    }
    shares[m] = score;
    if (score > highest) highest = score;
  }
  let total = 0;
  for (let m = 0; m < mixture.size; m++) {
    shares[m] = Math.exp((shares[m] as number) - highest);
    total += shares[m] as number;
  }
  for (let m = 0; m < mixture.size; m++) shares[m] = (shares[m] as number) / total;
  return highest + Math.log(total);
}
