import { z } from "zod/v4";
import { choice, list, optional } from "./setting";
import {
  type EngineName,
  type EngineSettings,
  engineEnvironment,
  engineNames,
  engineOf,
  type InstalledModels,
  neededSettings,
} from "./speech-engines";

export interface SpeechSettings {
  /** In the order they are asked; at least one. */
  engines: EngineSettings[];
  /** The engine's names for the styles of a request. */
  styles: Record<string, string>;
  /** Installed models that recognise speech, and speakers. */
  listening?: Pick<InstalledModels, "recogniser" | "speaker">;
  /** Whether the recogniser checks what neural engines speak. */
  isChecked?: boolean;
  /** Models to install in the background where they are missing. */
  wantedModels?: string[];
  /** By default, not by the setting: people may cancel. */
  isUnasked?: boolean;
  /** Asked for models before their publishers. */
  mirrors?: string[];
  /** A file that lists other models than ours. */
  manifest?: string | undefined;
}

export const speechEnvironment = {
  ...engineEnvironment,
  SPEECH_ENGINES: optional,
  SPEECH_STYLES: optional,
  SPEECH_CHECK: choice(["on", "off"]),
  VOICES: optional,
  VOICES_MIRROR: optional,
  VOICES_MANIFEST: optional,
};

const _environment = z.object(speechEnvironment);
type Environment = z.infer<typeof _environment>;
type Setting = keyof Environment;
const settingNames = Object.keys(speechEnvironment) as Setting[];

const isName = (name: string): name is EngineName => engineNames.some((known) => known === name);
/** Without a list: ZipVoice as soon as it is there, vendors, Kokoro likewise, the embedded engine. */
const unlisted = ({ DASHSCOPE_API_KEY, MINIMAX_API_KEY }: Environment, { cloner, kokoro }: InstalledModels) =>
  [cloner && "sherpa", DASHSCOPE_API_KEY && "dashscope", MINIMAX_API_KEY && "minimax", kokoro && "kokoro", "embedded"]
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
  const isCloneable = installed.hasCloner || (installed.cloner && settings.SPEECH_ENGINES === undefined);
  const missing = engines
    .filter(isName)
    .flatMap((engine) =>
      neededSettings[engine]
        .filter((name) => !settings[name] && !(name === "SHERPA_FOLDER" && isCloneable))
        .map((name) => `${name} is missing: SPEECH_ENGINES names ${engine}`),
    );
  const addresses = settingNames.filter((name) => name.endsWith("_URL"));
  const urls = addresses.filter((name) => settings[name] && !/^https?:\/\//.test(String(settings[name])));
  const mirrors = list(settings.VOICES_MIRROR).filter((address) => !/^https?:\/\//.test(address));
  const strange = pairs(settings).filter(([style, engine]) => !style || !engine || !engines.includes(engine));
  return [
    ...unknown.map((name) => `SPEECH_ENGINES names ${JSON.stringify(name)}; there are ${engineNames.join(", ")}`),
    ...missing,
    ...urls.map((name) => `${name} is not an http(s) URL`),
    ...mirrors.map((address) => `VOICES_MIRROR has ${JSON.stringify(address)}, which is not an http(s) URL`),
    ...strange.map((pair) => `SPEECH_STYLES has ${JSON.stringify(pair.join("="))}: style=engine, of SPEECH_ENGINES`),
  ];
}

const none = "none";

/** Kokoro comes unasked where it would be used: its licence allows every use. */
function wantedModels({ VOICES }: Environment, engines: readonly EngineSettings[]): string[] {
  if (VOICES === undefined) return engines.some(({ name }) => name === "kokoro") ? ["kokoro"] : [];
  return list(VOICES).filter((name) => name !== none);
}

/** Once there are no faults. */
export function speechOf(settings: Environment, installed: InstalledModels = {}): SpeechSettings {
  const engines = chosen(settings, installed)
    .filter(isName)
    .map((name) => engineOf(name, settings, installed));
  return {
    engines: engines.length > 0 ? engines : [{ name: "embedded" }],
    styles: Object.fromEntries(pairs(settings).map(([style, engine]) => [style, engine ?? ""])),
    isChecked: settings.SPEECH_CHECK !== "off",
    listening: { recogniser: installed.recogniser, speaker: installed.speaker },
    wantedModels: wantedModels(settings, engines),
    isUnasked: settings.VOICES === undefined,
    mirrors: list(settings.VOICES_MIRROR),
    manifest: settings.VOICES_MANIFEST,
  };
}
