import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { choice, optional, text, url } from "./setting";

export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** `path`: endpoint/bucket/key · `host`: bucket.endpoint/key. */
  style: "path" | "host";
  /** Before every key; "" or without a slash at either end. */
  prefix: string;
  /** Seconds a link to the bucket is good for; null: files are streamed by the api. */
  linkSeconds: number | null;
}

export const storageEnvironment = {
  S3_ENDPOINT: url,
  S3_REGION: text("us-east-1"),
  S3_BUCKET: optional,
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  S3_STYLE: choice(["path", "host"]),
  S3_PREFIX: optional,
  S3_LINKS: choice(["streamed", "signed"]),
};

type Environment = { [name in keyof typeof storageEnvironment]?: string | undefined };

const needed = ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
const linkSeconds = 300;

export function storageFaults(settings: Environment): string[] {
  if (!settings.S3_ENDPOINT) {
    return settings.S3_BUCKET ? ["S3_ENDPOINT is missing: S3_BUCKET needs it"] : [];
  }
  const faults = needed.filter((name) => !settings[name]).map((name) => `${name} is missing: S3_ENDPOINT needs it`);
  if (!/^https?:\/\//.test(settings.S3_ENDPOINT)) faults.push("S3_ENDPOINT is not an http(s) URL");
  return faults;
}

/** Creates the folder unless another process just does (EEXIST); finds out whether it can be written. */
export function dataDirFaults(dataDir: string): string[] {
  try {
    createFolder(dataDir);
    accessSync(`${dataDir}/`, constants.W_OK);
    return [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EEXIST" ? [] : [`DATA_DIR is ${dataDir}, which cannot be written: ${code}`];
  }
}

/** One folder at a time: with `recursive`, Node's mkdir never returns for a folder below /proc. */
function createFolder(path: string) {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path);
}

/** Call it only without faults; undefined: files are stored in DATA_DIR. */
export function storageOf(settings: Environment): S3Settings | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  if (!S3_ENDPOINT) return undefined;
  return {
    endpoint: new URL(S3_ENDPOINT).origin,
    region: settings.S3_REGION ?? "us-east-1",
    bucket: S3_BUCKET ?? "",
    accessKeyId: S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: S3_SECRET_ACCESS_KEY ?? "",
    style: settings.S3_STYLE === "host" ? "host" : "path",
    prefix: (settings.S3_PREFIX ?? "").replace(/^\/+|\/+$/g, ""),
    linkSeconds: settings.S3_LINKS === "signed" ? linkSeconds : null,
  };
}
