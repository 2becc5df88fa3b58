import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { EngineSettings, InstalledModels } from "./speech-engines";

/** Written last: the model spoke. */
const measuredFile = "measured.json";

const hasSpoken = (folder: string) => existsSync(join(folder, measuredFile));

/** Folder into which `npm run voices` installs models. */
export const modelsFolder = (dataDir: string): string => join(dataDir, "models");

/** The models that are used without being named in the settings. */
export function findInstalledModels(dataDir: string): InstalledModels {
  const find = (name: string) => {
    const folder = join(modelsFolder(dataDir), name);
    return existsSync(join(folder, "installed.json")) ? folder : undefined;
  };
  const cloner = join(modelsFolder(dataDir), "zipvoice");
  return {
    cloner,
    hasCloner: hasSpoken(cloner),
    // The faster one first.
    kokoro: ["kokoro-full", "kokoro"].map((name) => join(modelsFolder(dataDir), name)),
    recogniser: find("sense-voice"),
    speaker: find("campplus"),
  };
}

/** The folder of the Kokoro model that is installed; undefined without one. It may come and go while the product runs. */
export const kokoroFolder = (folders: readonly string[]): string | undefined => folders.find(hasSpoken);

/** The engines that can speak now. */
export const usableEngines = (engines: readonly EngineSettings[]): EngineSettings[] =>
  engines.filter((engine) => {
    if (engine.name === "kokoro") return kokoroFolder(engine.folders) !== undefined;
    return engine.name !== "sherpa" || !engine.isInstallable || hasSpoken(engine.folder);
  });

/** The engine that speaks cloned voices now, for people: the built-in one, Kokoro, or a cloner. */
export function speakingEngine(engines: readonly EngineSettings[]): "embedded" | "kokoro" | "other" {
  const first = usableEngines(engines)[0]?.name ?? "embedded";
  return first === "embedded" || first === "kokoro" ? first : "other";
}

/** Designed voices are spoken by Kokoro; by the built-in engine only where it is alone. */
export const speaksDesigns = (engines: readonly EngineSettings[]): boolean =>
  engines.some(({ name }) => name === "kokoro") || engines.every(({ name }) => name === "embedded");

/** True where the built-in engine alone speaks now. */
export const isSimulated = (engines: readonly EngineSettings[]): boolean =>
  usableEngines(engines).every(({ name }) => name === "embedded");

/** Says that no ffmpeg shall be used even where one is installed. */
const none = "none";

/** The path of the named program, else of the one on PATH; undefined for `none` and if there is none. */
export function findFfmpeg(named: string | undefined, searchPath = ""): string | undefined {
  if (named) return named === none ? undefined : named;
  const name = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
  const folders = searchPath.split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
