import { readFileSync } from "node:fs";
import { z } from "zod/v4";
import manifest from "./manifest.json" with { type: "json" };

const fileShape = z.object({
  name: z.string().regex(/^[\w][\w.-]*$/),
  /** Null where no publisher states it; so is `sha256`. */
  bytes: z.number().int().positive().nullable(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  /** Why size or hash is null. */
  unstated: z.string().min(1).optional(),
  /** Paths at the sites that have it as a single file. */
  huggingface: z.string().optional(),
  modelscope: z.string().optional(),
  github: z.string().optional(),
  /** Packages of registries that have the file in parts: asked last, with the registries' own clients. */
  packages: z
    .array(
      z.object({
        from: z.enum(["npm", "pip"]),
        names: z.array(z.string()).min(1),
        /** Paths in the unpacked packages, in the order of the file. */
        parts: z.array(z.string().regex(/^\w[\w./-]*$/)).min(1),
      }),
    )
    .optional(),
});

const setShape = z.object({
  /** Voice: speaks. Part: used by others. */
  kind: z.enum(["voice", "recogniser", "part"]),
  title: z.string(),
  licence: z.string(),
  mayBeSold: z.enum(["yes", "no", "unclear"]),
  /** Address of the description of licence and model. */
  about: z.string(),
  /** Needs eSpeak's data, which the product has. */
  needsEspeak: z.boolean().optional(),
  /** The addon that runs it; sherpa-onnx-node where absent. */
  runtime: z.enum(["onnxruntime-node", "sherpa-onnx-node"]).optional(),
  /** Room that its installation needs beside its files. */
  workBytes: z.number().int().positive().optional(),
  files: z.array(fileShape).min(1),
});

export type ModelFile = z.infer<typeof fileShape>;
export type ModelPackages = NonNullable<ModelFile["packages"]>[number];
export type ModelSet = z.infer<typeof setShape>;

/**
 * Models that `npm run voices` installs. Hashes are those of the publishers' large-file pointers; where several projects pin
 * the same one independently, that one.
 */
export const modelSets = manifest as Record<string, ModelSet>;

/** Reads a list of models of the operator's own, in the form of ours. Throws Error with a message for the operator. */
export function readModelSets(path: string): Record<string, ModelSet> {
  try {
    return z.record(z.string().regex(/^[\w][\w.-]*$/), setShape).parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`VOICES_MANIFEST names ${path}, which cannot be read as a list of models:\n${reason}`);
  }
}

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
