import protobuf from "onnx-proto";
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

type Graph = protobuf.onnx.GraphProto;
type Node = protobuf.onnx.INodeProto;
type Tensor = protobuf.onnx.ITensorProto;

/** Outputs of the published export's vocoder, where nearly all of its time goes. */
const vocoderPrefix = "/decoder/decoder/generator/";
const types = { float: 1, int8: 3 } as const;

interface Quantised {
  /** The convolution of whole numbers, and the last node of its group, which gives the sound's scale back. */
  convolution: Node;
  last: Node;
  input: string;
  weights: Tensor;
  scale: Tensor;
  zeroPoint: Tensor;
  bias: string | undefined;
}

/**
 * Computes the vocoder's 8-bit convolutions in 32-bit floats, whose kernels in onnxruntime-node 1.30 take 0.4 of the
 * time; the weights keep their values and take 43 MB more. Groups of nodes that are built otherwise stay as they are.
 */
export function widenConvolutions(graph: Graph): void {
  const found = findQuantised(graph);
  const replacements = new Map(found.map((group) => [group.last, toFloatConvolution(group)]));
  graph.initializer.push(...found.map(toFloatWeights));
  graph.node = graph.node.map((node) => replacements.get(node) ?? node);
  removeUnused(graph);
}

const weightsName = ({ convolution }: Quantised) => `${convolution.output?.[0]}_float_weights`;

/** DynamicQuantizeLinear → ConvInteger → (Add of the bias, scaled) → Cast → Mul by both scales. */
function findQuantised(graph: Graph): Quantised[] {
  const producers = new Map(graph.node.flatMap((node) => (node.output ?? []).map((name) => [name, node] as const)));
  const users = new Map<string, Node[]>();
  for (const node of graph.node) {
    for (const name of node.input ?? []) users.set(name, [...(users.get(name) ?? []), node]);
  }
  const constants = new Map(graph.initializer.map((tensor) => [tensor.name ?? "", tensor]));
  const userOf = (node: Node | undefined) => {
    const found = users.get(node?.output?.[0] ?? "") ?? [];
    return found.length === 1 ? found[0] : undefined;
  };
  const otherInput = (node: Node | undefined, than: Node | undefined) =>
    node?.input?.find((name) => name !== than?.output?.[0]) ?? "";

  return graph.node.flatMap((convolution) => {
    if (convolution.opType !== "ConvInteger" || !convolution.output?.[0]?.startsWith(vocoderPrefix)) return [];
    const [quantised = "", weightsOf = "", , zeroPointOf = ""] = convolution.input ?? [];
    const input = producers.get(quantised);
    const next = userOf(convolution);
    const add = next?.opType === "Add" ? next : undefined;
    const cast = add ? userOf(add) : next;
    const last = userOf(cast);
    const scales = producers.get(otherInput(last, cast));
    const scale = scales?.input?.map((name) => constants.get(name)).find((tensor) => tensor !== undefined);
    const [weights, zeroPoint] = [constants.get(weightsOf), constants.get(zeroPointOf)];
    const bias = add && findBias(producers, otherInput(add, convolution));
    const isWhole = input?.opType === "DynamicQuantizeLinear" && cast?.opType === "Cast" && last?.opType === "Mul";
    if (!isWhole || !weights || !zeroPoint || !scale || !last || (add && !bias)) return [];
    if (sizeOf(scale) !== 1 || sizeOf(zeroPoint) !== 1) return [];
    return [{ convolution, last, input: input.input?.[0] ?? "", weights, scale, zeroPoint, bias }];
  });
}

/** The bias before it was divided by the scales and rounded. */
function findBias(producers: ReadonlyMap<string, Node>, scaled: string): string | undefined {
  let node = producers.get(scaled);
  while (node && node.opType !== "Div") node = producers.get(node.input?.[0] ?? "");
  return node?.input?.[0] ?? undefined;
}

function toFloatConvolution(group: Quantised): Node {
  const { convolution, last, input, bias } = group;
  return onnx.NodeProto.create({
    opType: "Conv",
    name: `${convolution.name}_float`,
    input: [input, weightsName(group), ...(bias ? [bias] : [])],
    output: last.output,
    attribute: convolution.attribute,
  });
}

function toFloatWeights(group: Quantised): protobuf.onnx.TensorProto {
  const { weights, scale, zeroPoint } = group;
  const [factor = 1] = floatsOf(scale);
  const [zero = 0] = bytesOf(zeroPoint);
  const values = Float32Array.from(bytesOf(weights), (value) => (value - zero) * factor);
  return onnx.TensorProto.create({
    name: weightsName(group),
    dims: weights.dims,
    dataType: types.float,
    rawData: new Uint8Array(values.buffer),
  });
}

const sizeOf = ({ dims }: Tensor) => (dims ?? []).reduce<number>((size, dim) => size * Number(dim), 1);

function bytesOf({ rawData, int32Data, dataType }: Tensor): Int8Array | Uint8Array | number[] {
  if (!rawData?.length) return int32Data ?? [];
  return dataType === types.int8 ? new Int8Array(rawData) : rawData;
}

function floatsOf({ rawData, floatData }: Tensor): Float32Array | number[] {
  // A copy, because a view must begin at a multiple of four bytes.
  return rawData?.length ? new Float32Array(Uint8Array.from(rawData).buffer) : (floatData ?? []);
}

/** Removes nodes whose outputs no node reads, and constants without a reader. */
function removeUnused(graph: Graph): void {
  const outputs = graph.output.map(({ name }) => name ?? "");
  for (let before = -1; before !== graph.node.length; ) {
    before = graph.node.length;
    const read = new Set([...outputs, ...graph.node.flatMap(({ input }) => input ?? [])]);
    graph.node = graph.node.filter(({ output }) => output?.some((name) => read.has(name)));
  }
  const read = new Set(graph.node.flatMap(({ input }) => input ?? []));
  graph.initializer = graph.initializer.filter(({ name }) => read.has(name ?? ""));
}
