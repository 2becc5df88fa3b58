import { createHash, randomUUID } from "node:crypto";
import { realpathSync, renameSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The length of a Unix socket path is limited. */
const pathMaxLength = 100;

function lockPath(directory: string) {
  const beside = `${resolve(directory)}.lock`;
  if (beside.length <= pathMaxLength) return beside;
  const hash = createHash("sha256").update(realpathSync(directory)).digest("hex").slice(0, 16);
  return join(tmpdir(), `database-${hash}.lock`);
}

function listen(path: string) {
  return new Promise<Server>((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject).listen(path, () => resolve(server));
    server.unref();
  });
}

function isAlive(path: string) {
  return new Promise<boolean>((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    }).once("error", () => resolve(false));
  });
}

const held = (directory: string) =>
  new Error(
    `${directory} is already open in another process: stop that one, choose another DATA_DIR, or set DATABASE_URL to share one database`,
  );

/** Renames a dead socket; renames it back if it is alive. */
async function clearDead(path: string, directory: string) {
  const aside = join(dirname(path), `${randomUUID().slice(0, 8)}.lock`);
  try {
    renameSync(path, aside);
  } catch {
    return; // another process renamed it; `listen` decides
  }
  if (await isAlive(aside)) {
    renameSync(aside, path);
    throw held(directory);
  }
  unlinkSync(aside);
}

/**
 * Locks a directory for this process. The kernel releases a socket when the process ends, even by a crash; a lock file
 * would stay. The embedded database has no lock of its own, and two processes would lose writes. Throws when another
 * process holds the lock. Resolves to the function that releases it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = lockPath(directory);
  const server = await listen(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    if (await isAlive(path)) throw held(directory);
    await clearDead(path, directory);
    return listen(path).catch(() => {
      throw held(directory);
    });
  });
  return () => new Promise((resolve) => server.close(() => resolve()));
}
