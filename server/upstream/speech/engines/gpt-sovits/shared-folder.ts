import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface SharedFolder {
  /** Lays a recording down unless it lies there; the name of its file. */
  lay(bytes: Uint8Array): Promise<string>;
  /** Takes away what nobody has used for an hour: a recording must not outlive the account it belongs to. */
  sweep(): Promise<void>;
  close(): void;
}

const keptMs = 60 * 60 * 1000;
const sweptEveryMs = 10 * 60 * 1000;
/** Nothing but our own is taken away. */
const ours = /^[0-9a-f]{32}\.wav(\.[0-9a-f-]{36}\.part)?$/;

/** Recordings where a server that reads paths alone can see them; several processes may share it. */
export function createSharedFolder(folder: string, now: () => number = Date.now): SharedFolder {
  const sweep = async () => {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!ours.test(name)) continue;
      const path = join(folder, name);
      const usedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => now(),
      );
      if (now() - usedAt > keptMs) await rm(path, { force: true });
    }
  };
  // It stands still where nobody speaks any more; the first sweep of the next process makes up for it.
  const timer = setInterval(() => void sweep().catch(() => {}), sweptEveryMs);
  timer.unref();
  void sweep().catch(() => {});

  return {
    sweep,
    async lay(bytes) {
      const name = `${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}.wav`;
      const path = join(folder, name);
      const used = new Date(now());
      const size = await stat(path).then(
        (file) => file.size,
        () => null,
      );
      const isThere =
        size === bytes.length &&
        (await utimes(path, used, used).then(
          () => true,
          () => false,
        ));
      if (isThere) return name;
      await mkdir(folder, { recursive: true });
      const half = `${path}.${randomUUID()}.part`;
      await writeFile(half, bytes);
      await utimes(half, used, used);
      await rename(half, path);
      return name;
    },
    close: () => clearInterval(timer),
  };
}
