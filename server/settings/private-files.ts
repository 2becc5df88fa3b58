import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const forOthers = 0o077;

/**
 * From now on this process makes files and folders that its own user alone can read, and closes `dataDir` to others, with
 * all that an earlier version left in it. What belongs to another user stays as it is: the root of a mounted volume does.
 */
export function keepFilesPrivate(dataDir: string) {
  process.umask(forOthers);
  if ((statSync(dataDir).mode & forOthers) !== 0) closeToOthers(dataDir);
}

/** The folder itself last, so that an interrupted start closes the rest the next time. */
export function closeToOthers(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() || !isOwn(path)) continue;
    if (entry.isDirectory()) closeToOthers(path);
    else chmodSync(path, statSync(path).mode & 0o700);
  }
  if (isOwn(folder)) chmodSync(folder, 0o700);
}

const isOwn = (path: string) => [0, statSync(path).uid].includes(process.getuid?.() ?? 0);
