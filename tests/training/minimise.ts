/** Value and gradient of a function of many parameters. The gradient is written into `slope`. */
export type Objective = (at: Float64Array, slope: Float64Array) => number;

interface Step {
  moved: Float64Array;
  turned: Float64Array;
  /** Inverse of their inner product. */
  scale: number;
}

const remembered = 6;
/** Share of the expected decrease that a step must reach. */
const sufficient = 1e-4;

/** Minimises a smooth convex function from zero by L-BFGS. The same function gives the same result. */
export function minimise(objective: Objective, size: number, iterations: number): Float64Array {
  let at: Float64Array = new Float64Array(size);
  let slope: Float64Array = new Float64Array(size);
  let value = objective(at, slope);
  const steps: Step[] = [];
  for (let iteration = 0; iteration < iterations; iteration++) {
    const direction = descend(slope, steps);
    const expected = inner(direction, slope);
    let length = steps.length === 0 ? 1 / Math.sqrt(-expected) : 1;
    const nextSlope = new Float64Array(size);
    let next = along(at, direction, length);
    let nextValue = objective(next, nextSlope);
    while (nextValue > value + sufficient * length * expected && length > 1e-8) {
      length /= 2;
      next = along(at, direction, length);
      nextValue = objective(next, nextSlope);
    }
    const moved = along(next, at, -1);
    const turned = along(nextSlope, slope, -1);
    const curvature = inner(moved, turned);
    if (curvature <= 0 || nextValue >= value) break;
    if (steps.push({ moved, turned, scale: 1 / curvature }) > remembered) steps.shift();
    [at, slope, value] = [next, nextSlope, nextValue];
  }
  return at;
}

/** The direction of steepest descent, corrected by the curvature of the last steps. */
function descend(slope: Float64Array, steps: readonly Step[]): Float64Array {
  let direction: Float64Array = slope.map((each) => -each);
  const shares: number[] = [];
  for (const { moved, turned, scale } of steps.toReversed()) {
    const share = scale * inner(moved, direction);
    shares.unshift(share);
    direction = along(direction, turned, -share);
  }
  const last = steps.at(-1);
  if (last) {
    const ratio = 1 / (last.scale * inner(last.turned, last.turned));
    direction = direction.map((each) => each * ratio);
  }
  for (const [index, { moved, turned, scale }] of steps.entries()) {
    direction = along(direction, moved, (shares[index] ?? 0) - scale * inner(turned, direction));
  }
  return direction;
}

function inner(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] as number) * (other[index] as number);
  return sum;
}

function along(from: Float64Array, direction: Float64Array, length: number): Float64Array {
  const result = new Float64Array(from.length);
  for (let index = 0; index < from.length; index++)
    result[index] = (from[index] as number) + length * (direction[index] as number);
  return result;
}
