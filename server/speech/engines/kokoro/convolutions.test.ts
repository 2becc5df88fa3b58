import { createRequire } from "node:module";
import protobuf from "onnx-proto";
import { expect, it } from "vitest";
import { widenConvolutions } from "./graph";

const { onnx } = protobuf;
// The runtime is a package of the tests; an installation has it beside the model.
const runtime = createRequire(new URL("../../../../tests/package.json", import.meta.url))("onnxruntime-node");
const types = { float: 1, uint8: 2, int8: 3, int32: 6 } as const;
const [channels, width] = [4, 3];

const node = (opType: string, input: string[], output: string[], attribute: object[] = []) =>
  onnx.NodeProto.create({ opType, input, output, name: `${output[0]}_node`, attribute });
const castTo = (to: number) => [onnx.AttributeProto.create({ name: "to", type: 2, i: to })];
const floats = (name: string, dims: number[], values: ArrayLike<number>) =>
  onnx.TensorProto.create({ name, dims, dataType: types.float, floatData: Array.from(values) });
const bytes = (name: string, dims: number[], dataType: number, values: number[]) =>
  onnx.TensorProto.create({ name, dims, dataType, rawData: Uint8Array.from(values) });

function describeValue(name: string) {
  const dim = [{ dimValue: 1 }, { dimValue: channels }, { dimParam: "length" }].map((size) =>
    onnx.TensorShapeProto.Dimension.create(size),
  );
  const tensorType = onnx.TypeProto.Tensor.create({
    elemType: types.float,
    shape: onnx.TensorShapeProto.create({ dim }),
  });
  return onnx.ValueInfoProto.create({ name, type: onnx.TypeProto.create({ tensorType }) });
}

/** A convolution as onnxruntime's dynamic quantisation writes it. */
function createQuantised(output: string, { hasBias, dataType }: { hasBias: boolean; dataType: 2 | 3 }) {
  const size = channels * channels * width;
  const weights = Array.from({ length: size }, (_, i) => (i * 37) % (dataType === types.uint8 ? 256 : 127));
  const whole = hasBias ? `${output}_biased` : `${output}_whole`;
  return onnx.GraphProto.create({
    name: "vocoder",
    input: [describeValue("x")],
    output: [describeValue("y")],
    initializer: [
      bytes("weights", [channels, channels, width], dataType, weights),
      bytes("zero", [], dataType, [dataType === types.uint8 ? 120 : 60]),
      floats("scale", [], [0.01]),
      floats("bias", [channels], [1, -2, 3, 0.5]),
      onnx.TensorProto.create({ name: "column", dims: [3], dataType: 7, int64Data: [1, channels, 1] }),
    ],
    node: [
      node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"]),
      node(
        "ConvInteger",
        ["xq", "weights", "xz", "zero"],
        [`${output}_whole`],
        [onnx.AttributeProto.create({ name: "pads", type: 7, ints: [1, 1] })],
      ),
      node("Mul", ["xs", "scale"], ["scales"]),
      node("Div", ["bias", "scales"], ["bias_scaled"]),
      node("Floor", ["bias_scaled"], ["bias_floor"]),
      node("Cast", ["bias_floor"], ["bias_whole"], castTo(types.int32)),
      node("Reshape", ["bias_whole", "column"], ["bias_column"]),
      ...(hasBias ? [node("Add", [`${output}_whole`, "bias_column"], [whole])] : []),
      node("Cast", [whole], [`${output}_cast`], castTo(types.float)),
      node("Mul", [`${output}_cast`, "scales"], ["y"]),
    ],
  });
}

async function run(graph: protobuf.onnx.GraphProto): Promise<number[]> {
  const opsetImport = [onnx.OperatorSetIdProto.create({ domain: "", version: 13 })];
  const model = onnx.ModelProto.encode(onnx.ModelProto.create({ irVersion: 7, opsetImport, graph })).finish();
  const session = await runtime.InferenceSession.create(model, { logSeverityLevel: 3 });
  const x = Float32Array.from({ length: channels * 10 }, (_, i) => Math.sin(i));
  const { y } = await session.run({ x: new runtime.Tensor("float32", x, [1, channels, 10]) });
  await session.release();
  return Array.from(y.data as Float32Array);
}

const operators = (graph: protobuf.onnx.GraphProto) => graph.node.map(({ opType }) => opType);
const inVocoder = "/decoder/decoder/generator/convs1.0";

it.each([
  { hasBias: true, dataType: types.uint8 },
  { hasBias: false, dataType: types.uint8 },
  { hasBias: true, dataType: types.int8 },
])("computes a convolution of the vocoder in floats, with the same result: %j", async (kind) => {
  const graph = createQuantised(inVocoder, kind);
  const before = await run(graph);
  widenConvolutions(graph);
  expect(operators(graph)).toEqual(["Conv"]);
  const after = await run(graph);
  // Two steps of the quantised input through the twelve weights of an output.
  for (const [i, value] of after.entries()) expect(Math.abs(value - (before[i] as number))).toBeLessThan(0.06);
  expect(Math.max(...after.map(Math.abs))).toBeGreaterThan(1);
});

it("leaves convolutions elsewhere, and those that are built otherwise", () => {
  const elsewhere = createQuantised("/encoder/text_encoder/cnn.0", { hasBias: false, dataType: types.uint8 });
  const other = createQuantised(inVocoder, { hasBias: false, dataType: types.uint8 });
  other.initializer = other.initializer.filter(({ name }) => name !== "scale");
  for (const graph of [elsewhere, other]) {
    widenConvolutions(graph);
    expect(operators(graph)).toContain("ConvInteger");
    expect(operators(graph)).not.toContain("Conv");
  }
});
