/** A separate process for sherpa-onnx, because corrupt models abort the process that loads them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { resample } from "../../dsp/resample";
import {
  findModel,
  findRecogniser,
  findSpeakerModel,
  type SherpaAnswer,
  type SherpaModel,
  type SherpaRequest,
  type SherpaTranscript,
} from "./models";
import type { SherpaProcessOptions } from "./process";
import { readTokens, splitClauses, toSyllableLexicon } from "./syllables";

interface Audio {
  samples: Float32Array;
  sampleRate: number;
}

interface Recogniser {
  createStream(): { acceptWaveform(audio: Audio): void };
  decodeAsync(stream: unknown): Promise<unknown>;
  getResult(stream: unknown): Partial<SherpaTranscript>;
}

interface EmbeddingExtractor {
  createStream(): { acceptWaveform(audio: Audio): void; inputFinished(): void };
  isReady(stream: unknown): boolean;
  compute(stream: unknown, enableExternalBuffer: boolean): Float32Array;
}

/** The used part of the optional addon, which has no usable types. */
interface Addon {
  OfflineTts: {
    createAsync(config: unknown): Promise<{
      sampleRate: number;
      generateAsync(request: {
        text: string;
        generationConfig: unknown;
        enableExternalBuffer: boolean;
        onProgress(progress: { samples: Float32Array }): 0 | 1;
      }): Promise<Audio>;
    }>;
  };
  OfflineRecognizer: { createAsync(config: unknown): Promise<Recogniser> };
  SpeakerEmbeddingExtractor: new (config: unknown) => EmbeddingExtractor;
  GenerationConfig: new (settings: Record<string, unknown>) => unknown;
}

const defaults = { maxMegabytes: 2048, minCharacters: 12 };
/** sherpa-onnx splits texts that are longer, at other places than we do. */
const wholeText = 100_000;
const memoryCheckMs = 1_000;
const megabyte = 2 ** 20;
const options: SherpaProcessOptions & typeof defaults = { ...defaults, ...JSON.parse(process.argv[2] ?? "{}") };
let cancelled: number | null = null;
let running = 0;

const send = (answer: SherpaAnswer) => {
  if (process.connected) process.send?.(answer);
};

const addon = findAddon();
const opened = options.folder === undefined ? Promise.resolve(null) : open(options.folder);
let recogniser: Promise<Recogniser> | undefined;
let extractor: EmbeddingExtractor | undefined;

async function open(folder: string) {
  const found = findModel(folder);
  if ("fault" in found) throw new Error(found.fault);
  const { model } = found;
  const scratch = mkdtempSync(join(tmpdir(), "sherpa-"));
  try {
    const config = withSyllables(model, scratch);
    if (options.speed) config.model.numThreads = options.speed.threads;
    return { tts: await addon.OfflineTts.createAsync(config), model };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Our lexicon first: the first entry of a word counts. The model's own reads characters without a reading of ours. */
function withSyllables({ config }: SherpaModel, scratch: string): SherpaModel["config"] {
  const parts = config.model.zipvoice;
  const path = join(scratch, "syllables.txt");
  writeFileSync(path, toSyllableLexicon(readTokens(readFileSync(parts.tokens, "utf8"))));
  const lexicon = [path, parts.lexicon].filter(Boolean).join(",");
  return { ...config, model: { ...config.model, zipvoice: { ...parts, lexicon } } };
}

/** Installed by the operator, beside the models or with the product. */
function findAddon(): Addon {
  const name = "sherpa-onnx-node";
  try {
    const folder = options.folder ?? options.recogniser ?? options.speaker ?? "";
    return createRequire(resolve(folder, "models"))(name) as Addon;
  } catch {
    return createRequire(import.meta.url)(name) as Addon;
  }
}

opened.then(
  () => send({ kind: "ready" }),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);

async function speak({ id, text, speed, voice }: Extract<SherpaRequest, { kind: "speak" }>) {
  const voices = await opened;
  if (!voices) throw new Error("this process has no voice model");
  const { tts, model } = voices;
  const generationConfig = new addon.GenerationConfig({
    speed,
    silenceScale: 0.2,
    referenceAudio: voice.samples,
    referenceSampleRate: voice.sampleRate,
    referenceText: voice.text,
    numSteps: options.speed?.steps ?? model.steps,
    extra: { min_char_in_sentence: wholeText },
  });
  for (const clause of splitClauses(text, options.minCharacters)) {
    let sent = 0;
    const { samples, sampleRate } = await tts.generateAsync({
      text: clause,
      generationConfig,
      enableExternalBuffer: false,
      onProgress: ({ samples: part }) => {
        if (cancelled === id) return 0;
        send({ kind: "part", id, samples: Float32Array.from(part), sampleRate: tts.sampleRate });
        sent += part.length;
        return 1;
      },
    });
    if (cancelled === id) return;
    // Some models never call back for a single sentence.
    if (sent === 0 && samples.length > 0) send({ kind: "part", id, samples: Float32Array.from(samples), sampleRate });
  }
}

async function transcribe({ id, samples, sampleRate }: Extract<SherpaRequest, { kind: "transcribe" | "embed" }>) {
  recogniser ??= openRecogniser();
  const recognizer = await recogniser;
  const stream = recognizer.createStream();
  stream.acceptWaveform(toModelRate({ samples, sampleRate }));
  await recognizer.decodeAsync(stream);
  const { text = "", lang = "", tokens = [], timestamps = [] } = recognizer.getResult(stream);
  send({ kind: "text", id, transcript: { text, lang, tokens, timestamps } });
}

async function embed({ id, samples, sampleRate }: Extract<SherpaRequest, { kind: "transcribe" | "embed" }>) {
  extractor ??= openExtractor();
  const stream = extractor.createStream();
  stream.acceptWaveform(toModelRate({ samples, sampleRate }));
  stream.inputFinished();
  if (!extractor.isReady(stream)) throw new Error("the sound is too short");
  send({ kind: "embedding", id, embedding: Float32Array.from(extractor.compute(stream, false)) });
}

function openExtractor(): EmbeddingExtractor {
  const model = findSpeakerModel(options.speaker ?? "");
  if (!model) throw new Error("no speaker model is installed");
  return new addon.SpeakerEmbeddingExtractor({ model, numThreads: 1, provider: "cpu", debug: 0 });
}

/** sherpa-onnx resamples too, and reports each time. */
const modelRate = 16_000;
const toModelRate = ({ samples, sampleRate }: Audio): Audio => ({
  samples: resample(samples, sampleRate, modelRate),
  sampleRate: modelRate,
});

async function openRecogniser(): Promise<Recogniser> {
  const files = findRecogniser(options.recogniser ?? "");
  if (!files) throw new Error("no recogniser is installed");
  const { model, tokens } = files;
  const senseVoice = { model, language: "auto", useInverseTextNormalization: 1 };
  return addon.OfflineRecognizer.createAsync({
    featConfig: { sampleRate: modelRate, featureDim: 80 },
    modelConfig: { senseVoice, tokens, numThreads: 2, provider: "cpu", debug: 0 },
  });
}

process.on("message", (request: SherpaRequest) => {
  if (request.kind === "cancel") {
    cancelled = request.id;
    return;
  }
  running++;
  perform(request).then(
    () => finish({ kind: "end", id: request.id }),
    (error: unknown) => finish({ kind: "fault", id: request.id, message: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));

function perform(request: Exclude<SherpaRequest, { kind: "cancel" }>): Promise<void> {
  if (request.kind === "speak") return speak(request);
  return request.kind === "embed" ? embed(request) : transcribe(request);
}

function finish(answer: SherpaAnswer) {
  running--;
  send(answer);
}

/** The parent starts another process with the next request. A request in progress may double the limit before it fails. */
setInterval(() => {
  const megabytes = process.memoryUsage.rss() / megabyte;
  if (megabytes > options.maxMegabytes * (running > 0 ? 2 : 1)) process.exit(0);
}, memoryCheckMs).unref();
