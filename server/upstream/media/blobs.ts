import { buffer } from "node:stream/consumers";
import type { MediaStore } from "./store";

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
