import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod/v4";

export type SherpaFamily = "zipvoice" | "kokoro" | "matcha" | "vits";

export interface SherpaModel {
  family: SherpaFamily;
  /** The folder that contains its files. */
  folder: string;
  /** True if the family supports cloning. */
  clones: boolean;
  /** Configuration of `OfflineTts`. */
  config: { model: Record<string, unknown> & { numThreads: number } } & Record<string, unknown>;
  /** Diffusion steps, for families that have them. */
  steps: number;
}

/** Name of the file with the figures that the installation measured on this machine. */
export const measuredFile = "measured.json";
const measuredShape = z.object({ threads: z.number().int().min(1).max(256), steps: z.number().int().min(1).max(64) });
export type MeasuredSpeed = z.infer<typeof measuredShape>;
const unmeasured: MeasuredSpeed = { threads: 2, steps: 4 };

/** Optional text normalisation rules of some models; Kokoro's have a suffix. */
const ruleNames = ["phone", "date", "number", "new_heteronym"];
const ignoredFolders = new Set(["node_modules", "test_wavs", "dict", "espeak-ng-data"]);
const maxDepth = 2;

/**
 * Detects the model in a folder by the file names of sherpa-onnx's releases, also in sub-folders. A vocoder may lie
 * elsewhere in the folder, because it is released separately. Returns the reason if there is no usable model.
 */
export function findModel(folder: string): { model: SherpaModel } | { fault: string } {
  const folders = listFolders(folder, 0);
  const vocoders = folders.flatMap(({ path, names }) =>
    names.filter((name) => /^(vocos|hifigan).*\.onnx$/.test(name)).map((name) => join(path, name)),
  );
  const candidates = folders
    .filter(({ names }) => names.includes("tokens.txt"))
    .map((each) => describe(each, vocoders));
  const faults: string[] = [];
  for (const candidate of candidates) {
    const found = zipVoice(candidate) ?? kokoro(candidate) ?? matcha(candidate) ?? vits(candidate);
    if (!found) continue;
    const missing = Object.entries(found.required).filter(([, path]) => !path);
    if (missing.length === 0) return { model: toModel(candidate, found) };
    faults.push(`${candidate.path} contains ${found.family} without its ${missing.map(([part]) => part).join(", ")}`);
  }
  return { fault: faults[0] ?? `${folder} contains no known model` };
}

/** The files of a recogniser (SenseVoice) in a folder or its sub-folders; null if there is none. */
export function findRecogniser(folder: string): { model: string; tokens: string } | null {
  const found = listFolders(folder, 0).find(
    ({ path, names }) => /sense-?voice/i.test(basename(path)) && names.includes("tokens.txt"),
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

interface Candidate extends Folder {
  /** The path of the first file with this shape, 8-bit weights first; "" if there is none. */
  find(shape: RegExp): string;
  vocoders: string[];
  tokens: string;
  lexicon: string;
  espeak: { dataDir?: string };
}

interface Found {
  family: SherpaFamily;
  parts: Record<string, string>;
  /** Parts without which the model cannot speak. */
  required: Record<string, string>;
}

const int8First = (a: string, b: string) => Number(/int8/.test(b)) - Number(/int8/.test(a));

function describe({ path, names }: Folder, vocoders: string[]): Candidate {
  const find = (shape: RegExp) => {
    const name = names.filter((each) => shape.test(each)).sort(int8First)[0];
    return name ? join(path, name) : "";
  };
  // Kokoro has lexicons of two English accents, and takes one.
  const lexicons = names.filter((name) => /^lexicon.*\.txt$/.test(name) && name !== "lexicon-gb-en.txt");
  return {
    path,
    names,
    find,
    vocoders: vocoders.sort((a, b) => Number(dirname(b) === path) - Number(dirname(a) === path)),
    tokens: join(path, "tokens.txt"),
    lexicon: lexicons.map((name) => join(path, name)).join(","),
    espeak: names.includes("espeak-ng-data") ? { dataDir: join(path, "espeak-ng-data") } : {},
  };
}

function zipVoice({ find, vocoders, tokens, lexicon, espeak }: Candidate): Found | null {
  const encoder = find(/^(text_)?encoder.*\.onnx$/);
  const decoder = find(/^(fm_)?decoder.*\.onnx$/);
  if (!encoder && !decoder) return null;
  const vocoder = vocoders.find((path) => /vocos.*24/.test(basename(path))) ?? "";
  const required = { encoder, decoder, "vocoder (vocos_24khz.onnx)": vocoder, "espeak-ng-data": espeak.dataDir ?? "" };
  return { family: "zipvoice", parts: { tokens, encoder, decoder, vocoder, lexicon, ...espeak }, required };
}

function kokoro({ find, tokens, lexicon, espeak }: Candidate): Found | null {
  const [model, voices] = [find(/^model.*\.onnx$/), find(/^voices\.bin$/)];
  if (!model || !voices) return null;
  return { family: "kokoro", parts: { model, voices, tokens, lexicon, ...espeak }, required: {} };
}

function matcha({ find, vocoders, tokens, lexicon, espeak }: Candidate): Found | null {
  const acousticModel = find(/^model-steps-\d+\.onnx$/);
  if (!acousticModel) return null;
  const vocoder = vocoders[0] ?? "";
  return { family: "matcha", parts: { acousticModel, vocoder, lexicon, tokens, ...espeak }, required: { vocoder } };
}

/** Recognisers have the same file names, but no lexicon. */
function vits({ find, tokens, lexicon, espeak }: Candidate): Found | null {
  const model = find(/^(?!vocos|hifigan).*\.onnx$/);
  if (!model || (!lexicon && !espeak.dataDir)) return null;
  return { family: "vits", parts: { model, lexicon, tokens, ...espeak }, required: {} };
}

function toModel({ path, names }: Candidate, { family, parts }: Found): SherpaModel {
  const rules = ruleNames.flatMap((name) => [`${name}.fst`, `${name}-zh.fst`]).filter((name) => names.includes(name));
  const { threads, steps } = readMeasured(path);
  return {
    family,
    folder: path,
    clones: family === "zipvoice",
    steps,
    config: {
      model: { [family]: parts, numThreads: threads, provider: "cpu", debug: false },
      ...(rules.length > 0 && { ruleFsts: rules.map((name) => join(path, name)).join(",") }),
      // One callback per sentence, for streaming and cancellation.
      maxNumSentences: 1,
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

/** Messages to and from the sherpa-onnx process. */
export type SherpaRequest =
  | {
      kind: "speak";
      id: number;
      text: string;
      speed: number;
      /** Number of a preset voice. */
      sid: number;
      voice: (Samples & { text: string }) | null;
    }
  | ({ kind: "transcribe" | "embed"; id: number } & Samples)
  | { kind: "cancel"; id: number };

/** A transcript as sherpa-onnx returns it: the start of each token in seconds, and the language as "<|zh|>". */
export interface SherpaTranscript {
  text: string;
  lang: string;
  tokens: string[];
  timestamps: number[];
}

export type SherpaAnswer =
  | { kind: "ready" }
  | ({ kind: "part"; id: number } & Samples)
  | { kind: "text"; id: number; transcript: SherpaTranscript }
  | { kind: "embedding"; id: number; embedding: Float32Array }
  | { kind: "end"; id: number }
  | { kind: "fault"; id: number; message: string };
