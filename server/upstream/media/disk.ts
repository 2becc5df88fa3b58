import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError, isStorageFull, storageFull } from "../errors";
import { collectParts, partName } from "./parts";
import { type MediaStore, requireKey } from "./store";

/**
 * Files under one folder. A file is written beside its place, flushed, and renamed into it, so that readers see all of it
 * or none; what a killed process left half-written is collected here, at the start. A full disk is AppError 'storage-full', 507.
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
  await pipeline(source, createWriteStream(path, { flags: "wx", flush: true }));
  if (size === undefined) return;
  const written = (await stat(path)).size;
  if (written !== size) throw new AppError("bad-request", `body of ${written} bytes where ${size} were announced`);
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code;
