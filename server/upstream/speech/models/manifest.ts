import manifest from "./manifest.json" with { type: "json" };

/** One file of a model. `sha256` and `bytes` are null where no publisher states them. */
export interface ModelFile {
  name: string;
  bytes: number | null;
  sha256: string | null;
  /** Paths at the sites that have it as a single file. */
  huggingface?: string;
  modelscope?: string;
  github?: string;
}

export interface ModelSet {
  /** Voice: clones. Preset: has voices of its own. Part: used by others. */
  kind: "voice" | "preset" | "recogniser" | "part";
  title: string;
  licence: string;
  mayBeSold: "yes" | "no" | "unclear";
  /** Where the licence and the model are described. */
  about: string;
  /** Needs eSpeak's data, which the product has. */
  needsEspeak?: boolean;
  files: ModelFile[];
}

/**
 * Models that `npm run voices` installs. Hashes are those of the publishers' large-file pointers; where several projects pin
 * the same one independently, that one.
 */
export const modelSets = manifest as Record<string, ModelSet>;

/** In the order in which they are asked. */
const sites = {
  huggingface: ["https://huggingface.co/", "https://hf-mirror.com/"],
  modelscope: ["https://modelscope.cn/models/"],
  github: ["https://github.com/"],
} as const;

/** Addresses of a file, the mirrors' first: they have the files of a set below the name of the set. */
export function addressesOf(set: string, file: ModelFile, mirrors: readonly string[] = []): string[] {
  const published = (["huggingface", "modelscope", "github"] as const).flatMap((site) => {
    const path = file[site];
    return path ? sites[site].map((origin) => origin + path) : [];
  });
  return [...mirrors.map((mirror) => `${mirror.replace(/\/+$/, "")}/${set}/${file.name}`), ...published];
}

/** The stated size of a set in bytes, and how many of its files state none. */
export function sizeOf({ files }: ModelSet): { bytes: number; unstated: number } {
  return {
    bytes: files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    unstated: files.filter(({ bytes }) => bytes === null).length,
  };
}
