import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { AppError, isStorageFull, storageFull } from "../errors";
import { writeNewFile } from "../new-file";
import { type MediaStore, requireKey } from "./store";

const maxAgeMs = 60 * 60 * 1000;
const host = hostname().replace(/[^\w-]/g, "_");

/** Part files carry their writer's host and pid, so that a starting server keeps the files of a running one. */
export const partName = (unique: string) => `${host}.${process.pid}.${unique}`;

/** Removes the part files of writers that no longer run. */
export async function collectParts(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found && isAbandoned(name, found.mtimeMs)) await rm(path, { force: true, recursive: true });
  }
}

/** What an upload, and the embedded database's log, may need next. */
const leastFreeBytes = 64 * 2 ** 20;

export async function hasRoom(directory: string, bytes = leastFreeBytes): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize >= bytes;
}

function isAbandoned(name: string, writtenAt: number): boolean {
  const [writerHost, writer] = name.split(".");
  if (Date.now() - writtenAt > maxAgeMs) return true;
  if (writerHost !== host) return false;
  // In containers every start has the same pid: a file older than this process belongs to an earlier one.
  if (Number(writer) === process.pid) return writtenAt < Date.now() - process.uptime() * 1000;
  return !isAlive(Number(writer));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Stores files under one folder. A file is written to a part file, flushed and renamed, so that readers never see part of
 * it. Removes the part files of dead processes at the start. A full disk is AppError 'storage-full' (507).
 */
export async function createDiskStore(root: string): Promise<MediaStore> {
  const parts = join(root, "parts");
  await mkdir(parts, { recursive: true });
  await collectParts(parts);
  const pathOf = (key: string) => join(root, "files", requireKey(key));
  return {
    async put(key, body, size) {
      const path = pathOf(key);
      const part = join(parts, partName(randomUUID()));
      try {
        await write(part, body, size);
        await mkdir(dirname(path), { recursive: true });
        await rename(part, path);
      } catch (error) {
        throw isStorageFull(error) ? storageFull(error) : error;
      } finally {
        await rm(part, { force: true });
      }
    },
    async open(key, range) {
      const file = await open(pathOf(key)).catch((error) => {
        throw codeOf(error) === "ENOENT" ? new AppError("not-found", "no such file", { status: 404 }) : error;
      });
      return file.createReadStream(range);
    },
    async size(key) {
      const found = await stat(pathOf(key)).catch((error) => {
        if (codeOf(error) === "ENOENT") return null;
        throw error;
      });
      return found?.isFile() ? found.size : null;
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}

async function write(path: string, body: Readable | Uint8Array, size: number | undefined): Promise<void> {
  const source = body instanceof Uint8Array ? Readable.from([body]) : body;
  await writeNewFile(source, path, { flush: true });
  if (size === undefined) return;
  const written = (await stat(path)).size;
  if (written !== size) throw new AppError("bad-request", `body of ${written} bytes where ${size} were announced`);
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code;
