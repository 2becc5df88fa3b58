import { type Dirent, existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";

/** Direct access to a store's files; on this machine both kinds end in files. */
export interface StoredBytes {
  /** Every key, including incomplete files. */
  keys(): Promise<string[]>;
  /** Path of the file of a key. */
  pathOf(key: string): string;
}

/** Read again where a folder is deleted while it is read. */
const readTree = (root: string): Promise<Dirent[]> =>
  readdir(root, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" || !existsSync(root)) throw error;
    return readTree(root);
  });

const filesBelow = async (root: string): Promise<string[]> =>
  (await readTree(root))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();

/** The disk store of a data folder. */
export function bytesOnDisk(dataDir: string): StoredBytes {
  const root = join(dataDir, "media");
  return {
    keys: async () => (await filesBelow(root)).map((path) => path.replace(/^files\//, "")),
    pathOf: (key) => join(root, "files", key),
  };
}

const object = "._S3rver_object";

/** A bucket of tests/support/bucket.ts, whose server stores its objects as files. */
export function bytesInBucket(root: string): StoredBytes {
  return {
    keys: async () =>
      (await filesBelow(root)).filter((path) => path.endsWith(object)).map((path) => path.slice(0, -object.length)),
    pathOf: (key) => join(root, `${key}${object}`),
  };
}
