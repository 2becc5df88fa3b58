import { z } from "zod/v4";
import { choice, count, list, optional, url } from "./setting";

interface Backend {
  /** Requests at once. */
  concurrency: number;
  timeoutMs: number;
}

export type EngineSettings =
  | { name: "embedded" }
  | ({
      name: "openai";
      url: string;
      apiKey: string | undefined;
      model: string;
      voice: string | undefined;
      streamRate: number;
    } & Backend)
  | ({ name: "cosyvoice"; url: string; generation: 1 | 2 | 3 } & Backend)
  | ({ name: "gpt-sovits"; url: string; folder: string; serverFolder: string } & Backend)
  | ({ name: "fish-speech"; url: string; apiKey: string | undefined } & Backend)
  | ({ name: "dashscope" | "minimax"; url: string; apiKey: string; model: string } & Backend)
  | ({ name: "sherpa"; folder: string; recogniser: string | undefined } & Backend);

export interface SpeechSettings {
  /** In the order they are asked; at least one. */
  engines: EngineSettings[];
  /** What a request's style means, by the engine's name. */
  styles: Record<string, string>;
  /** Models to install in the background where they are missing. */
  wantedModels?: string[];
  /** Asked for models before their publishers. */
  mirrors?: string[];
  /** A file that lists other models than ours. */
  manifest?: string | undefined;
}

const names = [
  "embedded",
  "openai",
  "cosyvoice",
  "gpt-sovits",
  "fish-speech",
  "sherpa",
  "dashscope",
  "minimax",
] as const;
type Name = (typeof names)[number];

const atOnce = count(2, { min: 1, max: 1000 });
/** Less than a segment is given in all, so that another engine has time to stand in. */
const seconds = count(30, { min: 1, max: 55 });

export const speechEnvironment = {
  SPEECH_ENGINES: optional,
  SPEECH_STYLES: optional,
  OPENAI_SPEECH_URL: url,
  OPENAI_SPEECH_API_KEY: optional,
  OPENAI_SPEECH_MODEL: optional,
  OPENAI_SPEECH_VOICE: optional,
  OPENAI_SPEECH_STREAM_RATE: count(0, { max: 48_000 }),
  OPENAI_SPEECH_CONCURRENCY: atOnce,
  OPENAI_SPEECH_TIMEOUT_SECONDS: seconds,
  COSYVOICE_URL: url,
  COSYVOICE_GENERATION: choice(["1", "2", "3"]),
  COSYVOICE_CONCURRENCY: atOnce,
  COSYVOICE_TIMEOUT_SECONDS: seconds,
  GPT_SOVITS_URL: url,
  GPT_SOVITS_FOLDER: optional,
  GPT_SOVITS_SERVER_FOLDER: optional,
  GPT_SOVITS_CONCURRENCY: atOnce,
  GPT_SOVITS_TIMEOUT_SECONDS: seconds,
  FISH_SPEECH_URL: url,
  FISH_SPEECH_API_KEY: optional,
  FISH_SPEECH_CONCURRENCY: atOnce,
  FISH_SPEECH_TIMEOUT_SECONDS: seconds,
  SHERPA_FOLDER: optional,
  SHERPA_TIMEOUT_SECONDS: seconds,
  DASHSCOPE_API_KEY: optional,
  DASHSCOPE_URL: url,
  DASHSCOPE_MODEL: optional,
  DASHSCOPE_CONCURRENCY: atOnce,
  DASHSCOPE_TIMEOUT_SECONDS: seconds,
  MINIMAX_API_KEY: optional,
  MINIMAX_URL: url,
  MINIMAX_MODEL: optional,
  MINIMAX_CONCURRENCY: atOnce,
  MINIMAX_TIMEOUT_SECONDS: seconds,
  VOICES: optional,
  VOICES_MIRROR: optional,
  VOICES_MANIFEST: optional,
};

const _environment = z.object(speechEnvironment);
type Environment = z.infer<typeof _environment>;
type Setting = keyof Environment;
const settingNames = Object.keys(speechEnvironment) as Setting[];

const needed: Record<Name, Setting[]> = {
  embedded: [],
  openai: ["OPENAI_SPEECH_URL", "OPENAI_SPEECH_MODEL"],
  cosyvoice: ["COSYVOICE_URL"],
  "gpt-sovits": ["GPT_SOVITS_URL", "GPT_SOVITS_FOLDER"],
  "fish-speech": ["FISH_SPEECH_URL"],
  sherpa: ["SHERPA_FOLDER"],
  dashscope: ["DASHSCOPE_API_KEY"],
  minimax: ["MINIMAX_API_KEY"],
};

/** Models that `npm run voices` installed, by their folders. */
export interface InstalledModels {
  /** Clones voices. */
  voice?: string | undefined;
  recogniser?: string | undefined;
}

const isName = (name: string): name is Name => names.some((known) => known === name);
/** Without a list, an installed model and a vendor's key alone put their engines in front. */
const unlisted = ({ DASHSCOPE_API_KEY, MINIMAX_API_KEY }: Environment, { voice }: InstalledModels) =>
  [voice && "sherpa", DASHSCOPE_API_KEY && "dashscope", MINIMAX_API_KEY && "minimax", "embedded"]
    .filter(Boolean)
    .join();
const chosen = (settings: Environment, installed: InstalledModels) => [
  ...new Set(list(settings.SPEECH_ENGINES ?? unlisted(settings, installed))),
];
const pairs = ({ SPEECH_STYLES }: Environment) =>
  list(SPEECH_STYLES).map((pair) => pair.split("=") as [string, string | undefined]);

export function speechFaults(settings: Environment, installed: InstalledModels = {}): string[] {
  const engines = chosen(settings, installed);
  const unknown = engines.filter((name) => !isName(name));
  const missing = engines
    .filter(isName)
    .flatMap((engine) =>
      needed[engine]
        .filter((name) => !settings[name] && !(name === "SHERPA_FOLDER" && installed.voice))
        .map((name) => `${name} is missing: SPEECH_ENGINES names ${engine}`),
    );
  const addresses = settingNames.filter((name) => name.endsWith("_URL"));
  const urls = addresses.filter((name) => settings[name] && !/^https?:\/\//.test(String(settings[name])));
  const mirrors = list(settings.VOICES_MIRROR).filter((address) => !/^https?:\/\//.test(address));
  const strange = pairs(settings).filter(([style, engine]) => !style || !engine || !engines.includes(engine));
  return [
    ...unknown.map((name) => `SPEECH_ENGINES names ${JSON.stringify(name)}; there are ${names.join(", ")}`),
    ...missing,
    ...urls.map((name) => `${name} is not an http(s) URL`),
    ...mirrors.map((address) => `VOICES_MIRROR has ${JSON.stringify(address)}, which is not an http(s) URL`),
    ...strange.map((pair) => `SPEECH_STYLES has ${JSON.stringify(pair.join("="))}: style=engine, of SPEECH_ENGINES`),
  ];
}

/** Once there are no faults. */
export function speechOf(settings: Environment, installed: InstalledModels = {}): SpeechSettings {
  const engines = chosen(settings, installed)
    .filter(isName)
    .map((name) => engineOf(name, settings, installed));
  return {
    engines: engines.length > 0 ? engines : [{ name: "embedded" }],
    styles: Object.fromEntries(pairs(settings).map(([style, engine]) => [style, engine ?? ""])),
    wantedModels: list(settings.VOICES),
    mirrors: list(settings.VOICES_MIRROR),
    manifest: settings.VOICES_MANIFEST,
  };
}

const origin = (address: string | undefined) => (address ?? "").replace(/\/+$/, "");

function engineOf(name: Name, settings: Environment, installed: InstalledModels): EngineSettings {
  switch (name) {
    case "embedded":
      return { name };
    case "openai":
      return {
        name,
        // People write the address with and without the version.
        url: origin(settings.OPENAI_SPEECH_URL).replace(/\/v1$/, ""),
        apiKey: settings.OPENAI_SPEECH_API_KEY,
        model: settings.OPENAI_SPEECH_MODEL ?? "",
        voice: settings.OPENAI_SPEECH_VOICE,
        streamRate: settings.OPENAI_SPEECH_STREAM_RATE,
        concurrency: settings.OPENAI_SPEECH_CONCURRENCY,
        timeoutMs: settings.OPENAI_SPEECH_TIMEOUT_SECONDS * 1000,
      };
    case "cosyvoice":
      return {
        name,
        url: origin(settings.COSYVOICE_URL),
        generation: Number(settings.COSYVOICE_GENERATION ?? 2) as 1 | 2 | 3,
        concurrency: settings.COSYVOICE_CONCURRENCY,
        timeoutMs: settings.COSYVOICE_TIMEOUT_SECONDS * 1000,
      };
    case "gpt-sovits":
      return {
        name,
        url: origin(settings.GPT_SOVITS_URL),
        folder: settings.GPT_SOVITS_FOLDER ?? "",
        serverFolder: settings.GPT_SOVITS_SERVER_FOLDER ?? settings.GPT_SOVITS_FOLDER ?? "",
        concurrency: settings.GPT_SOVITS_CONCURRENCY,
        timeoutMs: settings.GPT_SOVITS_TIMEOUT_SECONDS * 1000,
      };
    case "fish-speech":
      return {
        name,
        url: origin(settings.FISH_SPEECH_URL),
        apiKey: settings.FISH_SPEECH_API_KEY,
        concurrency: settings.FISH_SPEECH_CONCURRENCY,
        timeoutMs: settings.FISH_SPEECH_TIMEOUT_SECONDS * 1000,
      };
    case "dashscope":
      return {
        name,
        url: origin(settings.DASHSCOPE_URL || "https://dashscope.aliyuncs.com/api/v1"),
        apiKey: settings.DASHSCOPE_API_KEY ?? "",
        model: settings.DASHSCOPE_MODEL ?? "cosyvoice-v3.5-flash",
        concurrency: settings.DASHSCOPE_CONCURRENCY,
        timeoutMs: settings.DASHSCOPE_TIMEOUT_SECONDS * 1000,
      };
    case "minimax":
      return {
        name,
        url: origin(settings.MINIMAX_URL || "https://api.minimaxi.com"),
        apiKey: settings.MINIMAX_API_KEY ?? "",
        model: settings.MINIMAX_MODEL ?? "speech-2.8-hd",
        concurrency: settings.MINIMAX_CONCURRENCY,
        timeoutMs: settings.MINIMAX_TIMEOUT_SECONDS * 1000,
      };
    case "sherpa":
      return {
        name,
        folder: settings.SHERPA_FOLDER ?? installed.voice ?? "",
        recogniser: installed.recogniser,
        // One process that uses the cores itself.
        concurrency: 1,
        timeoutMs: settings.SHERPA_TIMEOUT_SECONDS * 1000,
      };
  }
}
