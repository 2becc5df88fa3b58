import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const forOthers = 0o077;

/**
 * From now on this process makes files and folders that its own user alone can read, and `dataDir` is closed to others,
 * with all that an earlier version left in it. Throws where the folder belongs to another user.
 */
export function keepFilesPrivate(dataDir: string) {
  process.umask(forOthers);
  if ((statSync(dataDir).mode & forOthers) === 0) return;
  closeToOthers(dataDir);
}

/** The folder itself last, so that an interrupted start closes the rest the next time. */
function closeToOthers(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) closeToOthers(path);
    else if (!entry.isSymbolicLink()) chmodSync(path, statSync(path).mode & 0o700);
  }
  chmodSync(folder, 0o700);
}
