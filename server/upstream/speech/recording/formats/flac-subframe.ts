import type { BitReader } from "./bits";

interface Shape {
  blockSize: number;
  bits: number;
}

/** Weights of the fixed predictors of order 0–4, newest sample first. */
const fixedWeights = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

/** One channel of one frame (RFC 9639, section 9.2), or null where the bits make no sense. */
export function decodeSubframe(reader: BitReader, { blockSize, bits }: Shape): Int32Array | null {
  if (reader.read(1) !== 0) return null;
  const kind = reader.read(6);
  const wasted = reader.read(1) === 1 ? reader.readUnary() + 1 : 0;
  const depth = bits - wasted;
  if (depth < 1 || depth > 32) return null;
  const samples = new Int32Array(blockSize);
  if (!decodeKind(reader, kind, { samples, depth })) return null;
  if (wasted > 0) for (let i = 0; i < blockSize; i++) samples[i] = (samples[i] as number) << wasted;
  return samples;
}

function decodeKind(reader: BitReader, kind: number, target: { samples: Int32Array; depth: number }): boolean {
  const { samples, depth } = target;
  if (kind === 0) {
    samples.fill(reader.readSigned(depth));
    return !reader.isPastEnd();
  }
  if (kind === 1) {
    for (let i = 0; i < samples.length && !reader.isPastEnd(); i++) samples[i] = reader.readSigned(depth);
    return !reader.isPastEnd();
  }
  if (kind >= 8 && kind <= 12) return decodePredicted(reader, target, { order: kind - 8 });
  if (kind >= 32) return decodePredicted(reader, target, { order: kind - 31, isLinear: true });
  return false;
}

function decodePredicted(
  reader: BitReader,
  { samples, depth }: { samples: Int32Array; depth: number },
  { order, isLinear = false }: { order: number; isLinear?: boolean },
): boolean {
  if (order > samples.length) return false;
  for (let i = 0; i < order; i++) samples[i] = reader.readSigned(depth);
  let weights: readonly number[] = fixedWeights[order] ?? [];
  let shift = 0;
  if (isLinear) {
    const precision = reader.read(4) + 1;
    shift = reader.readSigned(5);
    if (precision === 16 || shift < 0) return false;
    weights = Array.from({ length: order }, () => reader.readSigned(precision));
  }
  if (!readResidual(reader, samples, order)) return false;
  const scale = 2 ** shift;
  for (let i = order; i < samples.length; i++) {
    let sum = 0;
    for (let k = 0; k < order; k++) sum += (weights[k] as number) * (samples[i - 1 - k] as number);
    samples[i] = (samples[i] as number) + Math.floor(sum / scale);
  }
  return true;
}

/** Rice-coded residual, left in place for the predictor to be added. */
function readResidual(reader: BitReader, samples: Int32Array, order: number): boolean {
  const method = reader.read(2);
  if (method > 1) return false;
  const parameterBits = method === 0 ? 4 : 5;
  const unpacked = 2 ** parameterBits - 1;
  const partitions = 2 ** reader.read(4);
  const size = samples.length / partitions;
  if (!Number.isInteger(size) || size < order) return false;
  let at = order;
  for (let partition = 1; partition <= partitions; partition++) {
    const parameter = reader.read(parameterBits);
    const end = partition * size;
    if (parameter === unpacked) {
      const bits = reader.read(5);
      for (; at < end; at++) samples[at] = bits === 0 ? 0 : reader.readSigned(bits);
    } else {
      at = readRice(reader, samples, { at, end, parameter });
    }
    if (at < end || reader.isPastEnd()) return false;
  }
  return true;
}

/** Returns where it stopped: before `end` when the bits ran out. */
function readRice(
  reader: BitReader,
  samples: Int32Array,
  { at, end, parameter }: { at: number; end: number; parameter: number },
): number {
  const step = 2 ** parameter;
  for (let i = at; i < end; i++) {
    const high = reader.readUnary();
    if (high < 0) return i;
    const folded = high * step + reader.read(parameter);
    samples[i] = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }
  return end;
}
