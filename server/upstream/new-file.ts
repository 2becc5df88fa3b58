import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Writes a stream to a file that must not exist yet. Settles once the file is closed, so that a caller can remove it
 * after an error: `pipeline` alone rejects while the system may still be creating the file.
 */
export async function writeNewFile(
  source: Readable,
  path: string,
  options: { mode?: number; flush?: boolean },
): Promise<void> {
  const file = createWriteStream(path, { flags: "wx", ...options });
  try {
    await pipeline(source, file);
  } finally {
    if (!file.closed) await once(file, "close");
  }
}
