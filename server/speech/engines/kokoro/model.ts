import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { SpeechError } from "../../engine";

/** File names in the model's folder. */
export const modelFiles = {
  /** The graph as published. */
  published: "model.onnx",
  /** The same graph with durations and movable pitch, see `prepareGraph`. */
  timed: "timed.onnx",
  styles: "voices.bin",
} as const;

/** Names of the added or changed inputs and outputs of `timed.onnx`. */
export const timedNames = {
  frames: "/encoder/Clip_output_0",
  speed: "speed",
  scale: "f0_scale",
  range: "f0_range",
} as const;

/** Tokens of one run, without the pads. */
export const maxTokens = 508;

interface Tensor {
  data: Float32Array | BigInt64Array;
}
interface Session {
  inputNames: readonly string[];
  inputMetadata: ReadonlyArray<{ name: string; shape?: ReadonlyArray<number | string> }>;
  outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor | undefined>>;
}
/** The used part of onnxruntime-node, which is installed beside the model and not with the product. */
interface Runtime {
  Tensor: new (type: "float32" | "int64", data: Float32Array | BigInt64Array, shape: number[]) => Tensor;
  InferenceSession: { create(path: string, options: Record<string, unknown>): Promise<Session> };
}

export interface ModelInput {
  tokenIds: readonly number[];
  styles: Readonly<Record<string, number>>;
  speed: number;
  scale: number;
  range: number;
}

export interface ModelOutput {
  /** 24 kHz, in −1…1. */
  samples: Float32Array;
  /** Frames of each token and of the pads; null for exports without this output. */
  frames: number[] | null;
}

export interface KokoroModel {
  /** True if pitch can be moved inside the model. */
  movesPitch: boolean;
  run(input: ModelInput): Promise<ModelOutput>;
}

const rowValues = 256;
const styleRows = 510;
/** The order of voices.bin, as sherpa-onnx publishes it. */
export const styleNames = (
  "af_alloy af_aoede af_bella af_heart af_jessica af_kore af_nicole af_nova af_river af_sarah af_sky am_adam am_echo " +
  "am_eric am_fenrir am_liam am_michael am_onyx am_puck am_santa bf_alice bf_emma bf_isabella bf_lily bm_daniel " +
  "bm_fable bm_george bm_lewis ef_dora em_alex ff_siwis hf_alpha hf_beta hm_omega hm_psi if_sara im_nicola jf_alpha " +
  "jf_gongitsune jf_nezumi jf_tebukuro jm_kumo pf_dora pm_alex pm_santa zf_xiaobei zf_xiaoni zf_xiaoxiao zf_xiaoyi " +
  "zm_yunjian zm_yunxi zm_yunxia zm_yunyang"
).split(" ");

/** Opens the model in a folder. Throws if the runtime or a file is missing; a corrupt file may end the process. */
export async function openModel(folder: string, threads: number): Promise<KokoroModel> {
  // Installed beside the model, so that the product installs without it.
  const runtime = createRequire(resolve(folder, "model"))("onnxruntime-node") as Runtime;
  const styles = readStyles(join(folder, modelFiles.styles));
  const timed = join(folder, modelFiles.timed);
  const path = existsSync(timed) ? timed : join(folder, modelFiles.published);
  // Patterns of memory are for inputs of one length; here they would keep 90 MB.
  const options = { intraOpNumThreads: threads, interOpNumThreads: 1, enableMemPattern: false, logSeverityLevel: 3 };
  const session = await runtime.InferenceSession.create(path, options);
  const movesPitch = session.inputNames.includes(timedNames.scale);
  const pacesTokens = session.inputMetadata.some(({ name, shape }) => name === timedNames.speed && shape?.[0] !== 1);
  const float = (data: number[] | Float32Array, shape: number[]) =>
    new runtime.Tensor("float32", Float32Array.from(data), shape);

  async function run({ tokenIds, styles: mix, speed, scale, range }: ModelInput): Promise<ModelOutput> {
    const padded = BigInt64Array.from([0, ...tokenIds, 0], BigInt);
    const [tokensName = "tokens"] = session.inputNames;
    // The model fills a pad that is longer than those of its training with a vowel that the text does not have.
    const pace = Math.max(1, speed);
    const speeds = pacesTokens ? [pace, ...tokenIds.map(() => speed), pace] : [speed];
    const outputs = await session.run({
      [tokensName]: new runtime.Tensor("int64", padded, [1, padded.length]),
      style: float(mixStyles(styles, mix, tokenIds.length), [1, rowValues]),
      [timedNames.speed]: float(speeds, [speeds.length]),
      ...(movesPitch && { [timedNames.scale]: float([scale], [1]), [timedNames.range]: float([range], [1]) }),
    });
    const samples = outputs[session.outputNames[0] ?? ""]?.data;
    if (!(samples instanceof Float32Array)) throw new SpeechError("engine", "the model returned no samples");
    const frames = outputs[timedNames.frames]?.data;
    return { samples, frames: frames ? Array.from(frames, Number) : null };
  }
  return { movesPitch, run };
}

function readStyles(path: string): Float32Array {
  const bytes = readFileSync(path);
  const expected = styleNames.length * styleRows * rowValues * Float32Array.BYTES_PER_ELEMENT;
  if (bytes.length !== expected) throw new Error(`${path} has ${bytes.length} bytes instead of ${expected}`);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT);
}

/** The row of the mix for this number of tokens: the model was trained with a row for each length. */
function mixStyles(styles: Float32Array, mix: ModelInput["styles"], tokenCount: number): Float32Array {
  const row = Math.min(styleRows, Math.max(1, tokenCount)) - 1;
  const mixed = new Float32Array(rowValues);
  for (const [name, weight] of Object.entries(mix)) {
    const style = styleNames.indexOf(name);
    if (style < 0) throw new SpeechError("voice", `The model has no style ${name}`);
    const from = (style * styleRows + row) * rowValues;
    for (let i = 0; i < rowValues; i++) mixed[i] = (mixed[i] as number) + weight * (styles[from + i] as number);
  }
  return mixed;
}
