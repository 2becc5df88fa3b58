import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

/** Bytes by key that never leave the server; in the same store as files, under `blobs/`. */
export interface Blobs {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** null when there is nothing. */
  get(key: string): Promise<Uint8Array | null>;
  remove(key: string): Promise<void>;
}

/** Keys follow the store's rule. */
export function createBlobs(store: MediaStore): Blobs {
  const at = (key: string) => `blobs/${key}`;
  return {
    put: (key, bytes) => store.put(at(key), bytes, bytes.length),
    get: async (key) => ((await store.size(at(key))) === null ? null : buffer(await store.open(at(key)))),
    remove: (key) => store.remove(at(key)),
  };
}

/** Both ends inclusive, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/** How a file comes from a link. */
export interface LinkAnswer {
  mime: string;
  /** Saved under this name: printable ASCII; shown in place where absent. */
  fileName?: string;
}

/**
 * Where bytes lie. Keys are lower-case path segments of letters, digits, `-` and `_`, with one extension at the end; any
 * other key throws. What `put` has answered is whole and stays; a `put` that fails leaves nothing behind.
 */
export interface MediaStore {
  /** Replaces what the key held. With `size` a body of another length is refused. */
  put(key: string, body: Readable | Uint8Array, size?: number): Promise<void>;
  /** Throws AppError not-found. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** null when there is nothing. */
  size(key: string): Promise<number | null>;
  /** Removing what is not there is success. */
  remove(key: string): Promise<void>;
  /** An address of its own that gives the bytes to whoever has it, for a while; where the store has such and ops want it. */
  link?(key: string, answer: LinkAnswer): Promise<string>;
}

const keyPattern = /^[a-z0-9][\w-]*(\/[\w-]+)*(\.\w+)?$/;

/** The one check between a key and a path. */
export function requireKey(key: string): string {
  if (!keyPattern.test(key) || key.length > 200) throw new Error("not a storage key");
  return key;
}
