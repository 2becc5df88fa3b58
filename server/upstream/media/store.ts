import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

/** Bytes by key for use inside the server; in the same store as files, under `blobs/`. */
export type Blobs = ReturnType<typeof createBlobs>;

/** Keys as in `MediaStore`. */
export function createBlobs(store: MediaStore) {
  const at = (key: string) => `blobs/${key}`;
  return {
    put: (key: string, bytes: Uint8Array): Promise<void> => store.put(at(key), bytes, bytes.length),
    /** Null for an unknown key. */
    get: async (key: string): Promise<Uint8Array | null> =>
      (await store.size(at(key))) === null ? null : buffer(await store.open(at(key))),
    remove: (key: string): Promise<void> => store.remove(at(key)),
  };
}

/** A range of bytes, both ends inclusive, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Response headers of a signed link. */
export interface LinkAnswer {
  mime: string;
  /** Download name, printable ASCII; shown inline when absent. */
  fileName?: string;
}

/**
 * Stores bytes by key. Keys are path segments of letters, digits, `-` and `_`, with one extension at the end; other keys
 * throw. `put` is atomic: a failed one leaves nothing behind.
 */
export interface MediaStore {
  /** Replaces the value of the key. Rejects a body whose length is not `size`. */
  put(key: string, body: Readable | Uint8Array, size?: number): Promise<void>;
  /** Throws AppError not-found. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Null for an unknown key. */
  size(key: string): Promise<number | null>;
  /** Removing what is not there is success. */
  remove(key: string): Promise<void>;
  /** A signed URL that expires; only in stores that support it and where it is configured. */
  link?(key: string, answer: LinkAnswer): Promise<string>;
}

const keyPattern = /^[a-z0-9][\w-]*(\/[\w-]+)*(\.\w+)?$/;

/** Validates a storage key; throws for any other text. */
export function requireKey(key: string): string {
  if (!keyPattern.test(key) || key.length > 200) throw new Error("not a storage key");
  return key;
}
