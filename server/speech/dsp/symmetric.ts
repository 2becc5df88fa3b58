/** Real symmetric matrices, by rows. */
export type Matrix = Float64Array[];

const sweeps = 12;

/** Eigenvalues and eigenvectors (by rows) by Jacobi rotations. */
export function eigen(symmetric: Matrix): { values: Float64Array; vectors: Matrix } {
  const size = symmetric.length;
  const matrix = symmetric.map((row) => row.slice());
  const vectors = symmetric.map((_, i) => Float64Array.from({ length: size }, (_unused, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(matrix, vectors, p, q);
    }
  }
  return { values: Float64Array.from(matrix, (row, i) => row[i] as number), vectors };
}

/** Turns rows and columns p and q so that their common element vanishes. */
function rotate(matrix: Matrix, vectors: Matrix, p: number, q: number) {
  const [rowP, rowQ] = [matrix[p] as Float64Array, matrix[q] as Float64Array];
  const common = rowP[q] as number;
  if (Math.abs(common) < 1e-14) return;
  const theta = ((rowQ[q] as number) - (rowP[p] as number)) / (2 * common);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  const turn = (a: Float64Array, i: number, b: Float64Array, j: number) => {
    const [x, y] = [a[i] as number, b[j] as number];
    a[i] = cosine * x - sine * y;
    b[j] = sine * x + cosine * y;
  };
  const [vectorP, vectorQ] = [vectors[p] as Float64Array, vectors[q] as Float64Array];
  for (const row of matrix) turn(row, p, row, q);
  for (let k = 0; k < matrix.length; k++) {
    turn(rowP, k, rowQ, k);
    turn(vectorP, k, vectorQ, k);
  }
}

/** Applies a function to the eigenvalues: the square root of a matrix, or its inverse. */
export function mapEigenvalues(symmetric: Matrix, map: (value: number) => number): Matrix {
  const { values, vectors } = eigen(symmetric);
  const mapped = values.map(map);
  return symmetric.map((_, i) =>
    Float64Array.from(symmetric, (_unused, j) =>
      vectors.reduce((sum, v, k) => sum + (mapped[k] as number) * (v[i] as number) * (v[j] as number), 0),
    ),
  );
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) =>
    Float64Array.from(b[0] as Float64Array, (_, j) =>
      row.reduce((sum, value, k) => sum + value * ((b[k] as Float64Array)[j] as number), 0),
    ),
  );
}

/**
 * The symmetric matrix that turns vectors of covariance `from` into vectors of covariance `to` and moves them least
 * (optimal transport between Gaussians: from^-½ (from^½ to from^½)^½ from^-½).
 */
export function transportMatrix(from: Matrix, to: Matrix): Matrix {
  const least = 1e-6;
  const root = mapEigenvalues(from, (value) => Math.sqrt(Math.max(least, value)));
  const inverse = mapEigenvalues(from, (value) => 1 / Math.sqrt(Math.max(least, value)));
  const middle = mapEigenvalues(multiply(multiply(root, to), root), (value) => Math.sqrt(Math.max(0, value)));
  return multiply(multiply(inverse, middle), inverse);
}
