/** A separate process for sherpa-onnx, because corrupt models abort the process that loads them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { spectralFlatness } from "../../dsp/flatness";
import { resample } from "../../dsp/resample";
import { type ModelTask, serveModel } from "../model-child";
import {
  findModel,
  findRecogniser,
  findSpeakerModel,
  type Samples,
  type SherpaModel,
  type SherpaPart,
  type SherpaSpeech,
  type SherpaTranscript,
  type SherpaWork,
} from "./models";
import type { SherpaProcessOptions } from "./process";
import { readTokens, splitClauses, toSyllableLexicon } from "./syllables";

interface Recogniser {
  createStream(): { acceptWaveform(audio: Samples): void };
  decodeAsync(stream: unknown): Promise<unknown>;
  getResult(stream: unknown): Partial<SherpaTranscript>;
}

interface EmbeddingExtractor {
  createStream(): { acceptWaveform(audio: Samples): void; inputFinished(): void };
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
      }): Promise<Samples>;
    }>;
  };
  OfflineRecognizer: { createAsync(config: unknown): Promise<Recogniser> };
  SpeakerEmbeddingExtractor: new (config: unknown) => EmbeddingExtractor;
  GenerationConfig: new (settings: Record<string, unknown>) => unknown;
}

const defaults = { maxMegabytes: 2048, minCharacters: 12 };
/** sherpa-onnx splits texts that are longer, at other places than we do. */
const wholeText = 100_000;
const options: SherpaProcessOptions & typeof defaults = { ...defaults, ...JSON.parse(process.argv[2] ?? "{}") };

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

/** ZipVoice turns some sentences into white noise, and speaks them with other random numbers. Speech is below 0.05. */
const noiseFlatness = 0.12;
const attemptsAgainstNoise = 3;

async function speak({ text, speed, voice }: SherpaSpeech, { send, isCancelled }: ModelTask<SherpaPart>) {
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
  /** Sends the clause sentence by sentence, up to one that became noise; returns how many samples were sent. */
  const generate = async (clause: string) => {
    let sent = 0;
    let isNoise = false;
    const pass = (part: Float32Array, sampleRate: number): 0 | 1 => {
      if (isCancelled()) return 0;
      isNoise = spectralFlatness(part, sampleRate) > noiseFlatness;
      if (isNoise) return 0;
      send({ samples: Float32Array.from(part), sampleRate });
      sent += part.length;
      return 1;
    };
    const { samples, sampleRate } = await tts.generateAsync({
      text: clause,
      generationConfig,
      enableExternalBuffer: false,
      onProgress: ({ samples: part }) => pass(part, tts.sampleRate),
    });
    // Some models never call back for a single sentence.
    if (sent === 0 && samples.length > 0 && !isNoise) pass(samples, sampleRate);
    return { sent, isNoise };
  };
  for (const clause of splitClauses(text, options.minCharacters)) {
    for (let attempt = 1; ; attempt++) {
      const { sent, isNoise } = await generate(clause);
      if (isCancelled()) return;
      if (!isNoise) break;
      if (sent > 0 || attempt === attemptsAgainstNoise) throw new Error("the model speaks noise");
    }
  }
}

async function transcribe(sound: Samples): Promise<SherpaTranscript> {
  recogniser ??= openRecogniser();
  const recognizer = await recogniser;
  const stream = recognizer.createStream();
  stream.acceptWaveform(toModelRate(sound));
  await recognizer.decodeAsync(stream);
  const { text = "", lang = "", tokens = [], timestamps = [] } = recognizer.getResult(stream);
  return { text, lang, tokens, timestamps };
}

function embed(sound: Samples): Float32Array {
  extractor ??= openExtractor();
  const stream = extractor.createStream();
  stream.acceptWaveform(toModelRate(sound));
  stream.inputFinished();
  if (!extractor.isReady(stream)) throw new Error("the sound is too short");
  return Float32Array.from(extractor.compute(stream, false));
}

function openExtractor(): EmbeddingExtractor {
  const model = findSpeakerModel(options.speaker ?? "");
  if (!model) throw new Error("no speaker model is installed");
  return new addon.SpeakerEmbeddingExtractor({ model, numThreads: 1, provider: "cpu", debug: 0 });
}

/** sherpa-onnx resamples too, and reports each time. */
const modelRate = 16_000;
const toModelRate = ({ samples, sampleRate }: Samples): Samples => ({
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

serveModel<SherpaWork, SherpaPart>({
  opened,
  maxMegabytes: options.maxMegabytes,
  async perform(work, task) {
    if (work.kind === "speak") await speak(work, task);
    else if (work.kind === "embed") task.send({ embedding: embed(work) });
    else task.send({ transcript: await transcribe(work) });
  },
});
