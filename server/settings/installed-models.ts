import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InstalledModels } from "./speech-engines";

/** Written last: the model spoke. */
const measuredFile = "measured.json";

/** Where `npm run voices` installs models. */
export const modelsFolder = (dataDir: string): string => join(dataDir, "models");

/** The models that are used without being named in the settings. */
export function findInstalledModels(dataDir: string): InstalledModels {
  const find = (name: string, file: string) => {
    const folder = join(modelsFolder(dataDir), name);
    return existsSync(join(folder, file)) ? folder : undefined;
  };
  return {
    voice: find("zipvoice", measuredFile),
    presets: find("kokoro", measuredFile) ?? find("melo", measuredFile),
    recogniser: find("sense-voice", "installed.json"),
    speaker: find("campplus", "installed.json"),
  };
}
