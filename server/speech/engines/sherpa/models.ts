import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod/v4";

export interface SherpaModel {
  /** Configuration of `OfflineTts`. */
  config: { model: { zipvoice: ZipVoiceFiles; numThreads: number } & Record<string, unknown>; maxNumSentences: number };
  /** Diffusion steps. */
  steps: number;
}

interface ZipVoiceFiles {
  tokens: string;
  encoder: string;
  decoder: string;
  vocoder: string;
  /** Paths separated by commas; "" if there are none. */
  lexicon: string;
  dataDir: string;
  guidanceScale: number;
}

/** As ZipVoice's authors run the distilled model, which alone is released for sherpa-onnx in 8 bits; its own default is 1. */
const guidanceScale = 3;

/** Name of the file with the figures that the installation measured on this machine. */
export const measuredFile = "measured.json";
const measuredShape = z.object({ threads: z.number().int().min(1).max(256), steps: z.number().int().min(1).max(64) });
export type MeasuredSpeed = z.infer<typeof measuredShape>;
const unmeasured: MeasuredSpeed = { threads: 2, steps: 4 };

const ignoredFolders = new Set(["node_modules", "test_wavs", "dict", "espeak-ng-data"]);
const maxDepth = 2;
const recogniserName = /sense-?voice[^/\\]*$/i;
const encoderName = /^(text_)?encoder.*\.onnx$/;
const decoderName = /^(fm_)?decoder.*\.onnx$/;

/**
 * Detects a ZipVoice model in a folder by the file names of sherpa-onnx's releases, also in sub-folders. Its vocoder may
 * lie elsewhere in the folder, because it is released separately. Returns the reason if there is no usable model.
 */
export function findModel(folder: string): { model: SherpaModel } | { fault: string } {
  const folders = listFolders(folder, 0);
  const vocoders = folders.flatMap(({ path, names }) =>
    names.filter((name) => /^vocos.*24.*\.onnx$/.test(name)).map((name) => join(path, name)),
  );
  const models = folders.filter(({ path, names }) => names.includes("tokens.txt") && !recogniserName.test(path));
  const found = models.find(({ names }) => names.some((name) => encoderName.test(name) || decoderName.test(name)));
  if (found) return toModel(found, vocoders);
  const other = models.find(({ names }) => names.some((name) => name.endsWith(".onnx")));
  const fault = other
    ? `${other.path} contains another model than ZipVoice: Kokoro, Matcha, VITS and Melo do not speak through sherpa-onnx`
    : `${folder} contains no ZipVoice model`;
  return { fault };
}

/** The files of a recogniser (SenseVoice) in a folder or its sub-folders; null if there is none. */
export function findRecogniser(folder: string): { model: string; tokens: string } | null {
  const found = listFolders(folder, 0).find(
    ({ path, names }) => recogniserName.test(path) && names.includes("tokens.txt"),
  );
  const name = found?.names.filter((each) => /^model.*\.onnx$/.test(each)).sort(int8First)[0];
  return found && name ? { model: join(found.path, name), tokens: join(found.path, "tokens.txt") } : null;
}

/** The file of a speaker model (CAM++) in a folder or its sub-folders; null if there is none. */
export function findSpeakerModel(folder: string): string | null {
  for (const { path, names } of listFolders(folder, 0)) {
    const name = names.find((each) => /(campplus|speaker).*\.onnx$/i.test(each));
    if (name) return join(path, name);
  }
  return null;
}

interface Folder {
  path: string;
  names: string[];
}

function listFolders(path: string, depth: number): Folder[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const inner = entries.filter(({ name }) => depth < maxDepth && !name.startsWith(".") && !ignoredFolders.has(name));
  const names = entries.map(({ name }) => name);
  const isFolder = (name: string) => statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory();
  return [
    { path, names },
    ...inner.filter(({ name }) => isFolder(name)).flatMap(({ name }) => listFolders(join(path, name), depth + 1)),
  ];
}

const int8First = (a: string, b: string) => Number(/int8/.test(b)) - Number(/int8/.test(a));

function toModel({ path, names }: Folder, vocoders: string[]): { model: SherpaModel } | { fault: string } {
  const find = (shape: RegExp) => {
    const name = names.filter((each) => shape.test(each)).sort(int8First)[0];
    return name ? join(path, name) : "";
  };
  const encoder = find(encoderName);
  const decoder = find(decoderName);
  const vocoder = vocoders.find((each) => dirname(each) === path) ?? vocoders[0] ?? "";
  const dataDir = find(/^espeak-ng-data$/);
  const required = { encoder, decoder, "vocoder (vocos_24khz.onnx)": vocoder, "espeak-ng-data": dataDir };
  const missing = Object.entries(required).flatMap(([part, found]) => (found ? [] : [part]));
  if (missing.length > 0) return { fault: `${path} contains zipvoice without its ${missing.join(", ")}` };
  const lexicons = names.filter((name) => /^lexicon.*\.txt$/.test(name)).map((name) => join(path, name));
  const zipvoice = {
    tokens: join(path, "tokens.txt"),
    encoder,
    decoder,
    vocoder,
    lexicon: lexicons.join(),
    dataDir,
    guidanceScale,
  };
  const { threads, steps } = readMeasured(path);
  return {
    model: {
      steps,
      config: {
        model: { zipvoice, numThreads: threads, provider: "cpu", debug: false },
        // One callback per sentence, for streaming and cancellation.
        maxNumSentences: 1,
      },
    },
  };
}

function readMeasured(folder: string): MeasuredSpeed {
  const path = join(folder, measuredFile);
  if (!existsSync(path)) return unmeasured;
  const parsed = measuredShape.safeParse(parseJson(readFileSync(path, "utf8")));
  return parsed.success ? parsed.data : unmeasured;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface Samples {
  samples: Float32Array;
  sampleRate: number;
}

export interface SherpaSpeech {
  text: string;
  speed: number;
  voice: Samples & { text: string };
}

/** Requests to the sherpa-onnx process, and parts of its answers. */
export type SherpaWork = ({ kind: "speak" } & SherpaSpeech) | ({ kind: "transcribe" | "embed" } & Samples);
export type SherpaPart = Samples | { transcript: SherpaTranscript } | { embedding: Float32Array };

/** A transcript as sherpa-onnx returns it: the start of each token in seconds, and the language as "<|zh|>". */
export interface SherpaTranscript {
  text: string;
  lang: string;
  tokens: string[];
  timestamps: number[];
}
