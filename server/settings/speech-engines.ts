import { z } from "zod/v4";
import { choice, count, optional, url } from "./setting";

interface Backend {
  /** Requests at once. */
  concurrency: number;
  timeoutMs: number;
}

export type EngineSettings =
  | { name: "embedded" }
  /** Speaks as soon as the model is in one of the folders. */
  | { name: "kokoro"; folders: string[] }
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
  /** `isInstallable`: the folder is ours, and the engine speaks as soon as a model was tried in it. */
  | ({ name: "sherpa"; folder: string; isInstallable?: boolean } & Backend);

export type EngineName = EngineSettings["name"];

const atOnce = count(2, { min: 1, max: 1000 });
/** Less than a segment is given in all, so that another engine has time to stand in. */
const seconds = count(30, { min: 1, max: 55 });

export const engineEnvironment = {
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
};

const _environment = z.object(engineEnvironment);
type Environment = z.infer<typeof _environment>;

/** Settings that an engine cannot do without. */
export const neededSettings: Record<EngineName, Array<keyof Environment>> = {
  embedded: [],
  kokoro: [],
  openai: ["OPENAI_SPEECH_URL", "OPENAI_SPEECH_MODEL"],
  cosyvoice: ["COSYVOICE_URL"],
  "gpt-sovits": ["GPT_SOVITS_URL", "GPT_SOVITS_FOLDER"],
  "fish-speech": ["FISH_SPEECH_URL"],
  sherpa: ["SHERPA_FOLDER"],
  dashscope: ["DASHSCOPE_API_KEY"],
  minimax: ["MINIMAX_API_KEY"],
};
export const engineNames = Object.keys(neededSettings) as EngineName[];

/** Models that `npm run voices` installed, by their folders. */
export interface InstalledModels {
  /** Where ZipVoice is, or will be. */
  cloner?: string;
  hasCloner?: boolean;
  /** Where Kokoro models are, or will be. */
  kokoro?: string[];
  recogniser?: string | undefined;
  /** Compares voices. */
  speaker?: string | undefined;
}

const origin = (address: string | undefined) => (address ?? "").replace(/\/+$/, "");

type Limited = "OPENAI_SPEECH" | "COSYVOICE" | "GPT_SOVITS" | "FISH_SPEECH" | "DASHSCOPE" | "MINIMAX";

const limitsOf = (prefix: Limited, settings: Environment): Backend => ({
  concurrency: settings[`${prefix}_CONCURRENCY`],
  timeoutMs: settings[`${prefix}_TIMEOUT_SECONDS`] * 1000,
});

const hosted = {
  dashscope: { prefix: "DASHSCOPE", url: "https://dashscope.aliyuncs.com/api/v1", model: "cosyvoice-v3.5-flash" },
  minimax: { prefix: "MINIMAX", url: "https://api.minimaxi.com", model: "speech-2.8-hd" },
} as const;

function hostedOf(name: keyof typeof hosted, settings: Environment): EngineSettings {
  const { prefix, url, model } = hosted[name];
  return {
    name,
    url: origin(settings[`${prefix}_URL`] ?? url),
    apiKey: settings[`${prefix}_API_KEY`] ?? "",
    model: settings[`${prefix}_MODEL`] ?? model,
    ...limitsOf(prefix, settings),
  };
}

/** Once there are no faults. */
export function engineOf(name: EngineName, settings: Environment, installed: InstalledModels): EngineSettings {
  switch (name) {
    case "embedded":
      return { name };
    case "kokoro":
      return { name, folders: installed.kokoro ?? [] };
    case "openai":
      return {
        name,
        // People write the address with and without the version.
        url: origin(settings.OPENAI_SPEECH_URL).replace(/\/v1$/, ""),
        apiKey: settings.OPENAI_SPEECH_API_KEY,
        model: settings.OPENAI_SPEECH_MODEL ?? "",
        voice: settings.OPENAI_SPEECH_VOICE,
        streamRate: settings.OPENAI_SPEECH_STREAM_RATE,
        ...limitsOf("OPENAI_SPEECH", settings),
      };
    case "cosyvoice":
      return {
        name,
        url: origin(settings.COSYVOICE_URL),
        generation: Number(settings.COSYVOICE_GENERATION ?? 2) as 1 | 2 | 3,
        ...limitsOf("COSYVOICE", settings),
      };
    case "gpt-sovits":
      return {
        name,
        url: origin(settings.GPT_SOVITS_URL),
        folder: settings.GPT_SOVITS_FOLDER ?? "",
        serverFolder: settings.GPT_SOVITS_SERVER_FOLDER ?? settings.GPT_SOVITS_FOLDER ?? "",
        ...limitsOf("GPT_SOVITS", settings),
      };
    case "fish-speech":
      return {
        name,
        url: origin(settings.FISH_SPEECH_URL),
        apiKey: settings.FISH_SPEECH_API_KEY,
        ...limitsOf("FISH_SPEECH", settings),
      };
    case "dashscope":
    case "minimax":
      return hostedOf(name, settings);
    case "sherpa":
      return {
        name,
        folder: settings.SHERPA_FOLDER ?? installed.cloner ?? "",
        isInstallable: !settings.SHERPA_FOLDER,
        // One process that uses the cores itself.
        concurrency: 1,
        timeoutMs: settings.SHERPA_TIMEOUT_SECONDS * 1000,
      };
  }
}
