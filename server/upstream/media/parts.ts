import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const maxAgeMs = 60 * 60 * 1000;
const host = hostname().replace(/[^\w-]/g, "_");

/** Half-written files carry their writer's name, so that a server starting beside another spares what that one writes. */
export const partName = (unique: string) => `${host}.${process.pid}.${unique}`;

/** Removes what writers that are gone left behind. */
export async function collectParts(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found && isAbandoned(name, found.mtimeMs)) await rm(path, { force: true, recursive: true });
  }
}

function isAbandoned(name: string, writtenAt: number): boolean {
  const [writerHost, writer] = name.split(".");
  if (Date.now() - writtenAt > maxAgeMs) return true;
  if (writerHost !== host) return false;
  // In a container every start has the same process id: what is older than this process is not its own.
  if (Number(writer) === process.pid) return writtenAt < Date.now() - process.uptime() * 1000;
  return !isAlive(Number(writer));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
