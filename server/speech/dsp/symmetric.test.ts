import { describe, expect, it } from "vitest";
import { createNoise } from "./noise";
import { eigen, type Matrix, mapEigenvalues, multiply, transportMatrix } from "./symmetric";

const size = 6;

/** A positive matrix: the covariance of random vectors. */
function randomCovariance(seed: number): Matrix {
  const noise = createNoise(seed);
  const root = Array.from({ length: size }, () => Float64Array.from({ length: size }, () => noise.gauss()));
  const transposed = root.map((_, i) => Float64Array.from(root, (row) => row[i] as number));
  return multiply(root, transposed);
}

function expectEqual(a: Matrix, b: Matrix) {
  for (const [i, row] of a.entries()) {
    for (const [j, value] of row.entries()) expect(value).toBeCloseTo(b[i]?.[j] ?? Number.NaN, 6);
  }
}

describe("eigen", () => {
  it("finds directions that the matrix only scales", () => {
    const matrix = randomCovariance(3);
    const { values, vectors } = eigen(matrix);
    vectors.forEach((vector, k) => {
      const column = multiply(
        matrix,
        Array.from(vector, (value) => Float64Array.of(value)),
      );
      for (const [i, row] of column.entries())
        expect(row[0]).toBeCloseTo((values[k] as number) * (vector[i] as number), 6);
    });
  });
});

describe("mapEigenvalues", () => {
  it("takes the square root of a matrix", () => {
    const matrix = randomCovariance(4);
    const root = mapEigenvalues(matrix, Math.sqrt);
    expectEqual(multiply(root, root), matrix);
  });
});

describe("transportMatrix", () => {
  it("turns one covariance into the other", () => {
    const [from, to] = [randomCovariance(1), randomCovariance(2)];
    const matrix = transportMatrix(from, to);
    expectEqual(multiply(multiply(matrix, from), matrix), to);
  });

  it("changes nothing between equal covariances and scales uncorrelated values", () => {
    const same = randomCovariance(5);
    const identity = same.map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));
    expectEqual(transportMatrix(same, same), identity);
    const diagonal = (values: number[]) =>
      values.map((value, i) => Float64Array.from(values, (_, j) => (i === j ? value : 0)));
    expectEqual(transportMatrix(diagonal([1, 4]), diagonal([9, 1])), diagonal([3, 0.5]));
  });
});
