import protobuf from "onnx-proto";
import { widenConvolutions } from "./convolutions";
import { timedNames } from "./model";

const { onnx } = protobuf;
/** Output of the pitch predictor, in the published export. */
const pitchName = "/encoder/F0_proj/Conv_output_0";
const floatType = 1;

/**
 * Adds to a published Kokoro graph the frames of each token as an output, and two inputs that move pitch between the
 * predictor and the decoder: F becomes `f0_scale · max(F, 1)^f0_range`. With both at 1 the sound is unchanged. Each
 * token and pad has a speed of its own. The vocoder of 8-bit weights is made fast. Returns null for exports whose nodes
 * have other names.
 */
export function prepareGraph(model: Uint8Array): Uint8Array | null {
  const decoded = onnx.ModelProto.decode(model);
  const graph = decoded.graph as protobuf.onnx.GraphProto | null | undefined;
  const at = graph?.node?.findIndex(({ output }) => output?.includes(pitchName)) ?? -1;
  const hasFrames = graph?.node?.some(({ output }) => output?.includes(timedNames.frames));
  const predictor = graph?.node?.[at];
  const speed = graph?.input?.find(({ name }) => name === timedNames.speed);
  if (!graph?.node || !predictor || !hasFrames || !speed) return null;
  predictor.output = [`${pitchName}_raw`];
  graph.initializer?.push(
    onnx.TensorProto.create({ name: "f0_floor", dims: [1], dataType: floatType, floatData: [1] }),
  );
  graph.node.splice(
    at + 1,
    0,
    createNode("Max", [`${pitchName}_raw`, "f0_floor"], "f0_positive"),
    createNode("Pow", ["f0_positive", timedNames.range], "f0_powered"),
    createNode("Mul", ["f0_powered", timedNames.scale], pitchName),
  );
  speed.type = createFloats(timedNames.speed, "sequence_length").type;
  for (const name of [timedNames.scale, timedNames.range]) graph.input?.push(createFloats(name, 1));
  graph.output?.push(createFloats(timedNames.frames));
  widenConvolutions(graph);
  return onnx.ModelProto.encode(decoded).finish();
}

const createNode = (opType: string, input: string[], output: string) =>
  onnx.NodeProto.create({ opType, input, output: [output], name: `${output}_moved` });

function createFloats(name: string, size?: number | string) {
  const dim = onnx.TensorShapeProto.Dimension.create(
    typeof size === "string" ? { dimParam: size } : { dimValue: size ?? 0 },
  );
  const shape = size === undefined ? {} : { shape: onnx.TensorShapeProto.create({ dim: [dim] }) };
  const tensorType = onnx.TypeProto.Tensor.create({ elemType: floatType, ...shape });
  return onnx.ValueInfoProto.create({ name, type: onnx.TypeProto.create({ tensorType }) });
}
