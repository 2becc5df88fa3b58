import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import protobuf from "onnx-proto";
import { prepareGraph } from "../../../server/speech/engines/kokoro/graph";
import { modelFiles, styleNames, timedNames } from "../../../server/speech/engines/kokoro/model";

const { onnx } = protobuf;
const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
const types = { float: 1, int64: 7 } as const;

/** Frames of every token of the small model, and samples of a frame. */
export const smallModel = { frames: 2, frameSamples: 600 } as const;
/** A token's amplitude is its number divided by this. */
const loudest = 256;
const toneHz = 200;
const rate = 24_000;

const node = (opType: string, input: string[], output: string, attribute: object[] = []) =>
  onnx.NodeProto.create({ opType, input, output: [output], name: `${output}_node`, attribute });
const floats = (name: string, dims: number[], values: ArrayLike<number>) =>
  onnx.TensorProto.create({ name, dims, dataType: types.float, floatData: Array.from(values) });
const integers = (name: string, values: number[]) =>
  onnx.TensorProto.create({ name, dims: [values.length], dataType: types.int64, int64Data: values });
const castTo = (to: number) => [onnx.AttributeProto.create({ name: "to", type: 2, i: to })];

function describeValue(name: string, elemType: number, dims: Array<number | string>) {
  const dim = dims.map((size) =>
    onnx.TensorShapeProto.Dimension.create(typeof size === "string" ? { dimParam: size } : { dimValue: size }),
  );
  const tensorType = onnx.TypeProto.Tensor.create({ elemType, shape: onnx.TensorShapeProto.create({ dim }) });
  return onnx.ValueInfoProto.create({ name, type: onnx.TypeProto.create({ tensorType }) });
}

/**
 * A graph with the inputs, outputs and node names of the published Kokoro and no weights: every token sounds for two
 * frames as a tone whose amplitude is its number; the durations it tells follow the speed. `products` of large matrices
 * make it as slow as a real model.
 */
export function createSmallGraph({ products = 0 }: { products?: number } = {}): Uint8Array {
  const samples = smallModel.frames * smallModel.frameSamples;
  const tone = Float32Array.from({ length: samples }, (_, i) => Math.sin((2 * Math.PI * toneHz * i) / rate) / loudest);
  const size = 1024;
  const work = Array.from({ length: products }, (_, i) => node("MatMul", [`m${i}`, `m${i}`], `m${i + 1}`));
  const graph = onnx.GraphProto.create({
    name: "kokoro",
    input: [
      describeValue("tokens", types.int64, [1, "length"]),
      describeValue("style", types.float, [1, 256]),
      describeValue("speed", types.float, [1]),
    ],
    output: [describeValue("audio", types.float, ["samples"])],
    initializer: [
      floats("tone", [1, samples], tone),
      floats("frames", [1], [smallModel.frames]),
      floats("zero", [1], [0]),
      floats("share", [1], [1 / size]),
      integers("column", [-1, 1]),
      integers("flat", [-1]),
      integers("square", [size, size]),
    ],
    node: [
      node("Cast", ["tokens"], "numbers", castTo(types.float)),
      node("Reshape", ["numbers", "column"], "numbers_column"),
      node("ReduceMin", ["speed"], "pace"),
      // Stands for the pitch predictor: its output decides nothing but has the name that the change looks for.
      node("Mul", ["pace", "frames"], "/encoder/F0_proj/Conv_output_0"),
      node("Mul", ["numbers_column", "zero"], "nothing"),
      node("Add", ["nothing", "frames"], "frames_column"),
      node("Reshape", ["frames_column", "flat"], "frames_row"),
      node("Div", ["frames_row", "speed"], timedNames.frames),
      // A square of equal values that each product leaves as it is.
      node("Mul", ["pace", "share"], "element"),
      node("Expand", ["element", "square"], "m0"),
      ...work,
      node("ReduceMin", [`m${products}`], "least"),
      node("Mul", ["least", "zero"], "least_nothing"),
      node("Mul", ["/encoder/F0_proj/Conv_output_0", "zero"], "pitch_nothing"),
      node("MatMul", ["numbers_column", "tone"], "sounds"),
      node("Add", ["sounds", "least_nothing"], "sounds_worked"),
      node("Add", ["sounds_worked", "pitch_nothing"], "sounds_pitched"),
      node("Reshape", ["sounds_pitched", "flat"], "audio"),
    ],
  });
  const opsetImport = [onnx.OperatorSetIdProto.create({ domain: "", version: 13 })];
  return onnx.ModelProto.encode(onnx.ModelProto.create({ irVersion: 7, opsetImport, graph })).finish();
}

/** Styles of the right size. */
export const createSmallStyles = () => new Uint8Array(styleNames.length * 510 * 256 * Float32Array.BYTES_PER_ELEMENT);

/** Makes a folder as an installation leaves it, with the small model and the real runtime. */
export function makeKokoro(
  folder: string,
  { isTimed = true, ...options }: { products?: number; isTimed?: boolean } = {},
) {
  mkdirSync(folder, { recursive: true });
  const graph = createSmallGraph(options);
  writeFileSync(join(folder, modelFiles.published), graph);
  if (isTimed) writeFileSync(join(folder, modelFiles.timed), prepareGraph(graph) as Uint8Array);
  writeFileSync(join(folder, modelFiles.styles), createSmallStyles());
  symlinkSync(packages, join(folder, "node_modules"));
  return folder;
}

/** The numbers of the tokens that made a sound of the small model. */
export function readTokenIds(samples: Float32Array): number[] {
  const length = smallModel.frames * smallModel.frameSamples;
  return Array.from({ length: samples.length / length }, (_, i) => {
    const token = samples.subarray(i * length, (i + 1) * length);
    return Math.round(loudest * token.reduce((most, value) => Math.max(most, value), 0));
  });
}
