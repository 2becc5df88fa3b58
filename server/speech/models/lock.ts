import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";

const beatMs = 10_000;
/** Process numbers start again in a restarted container, so the age of the file decides. */
const staleMs = 60_000;

/** Takes a lock between processes; returns its release, or null while another process holds it. */
export async function takeLock(path: string): Promise<(() => Promise<void>) | null> {
  const mark = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  if (!(await create(path, mark))) {
    const old = await readFile(path, "utf8").catch(() => "");
    if (!(await isStale(path, old)) || !(await setAside(path, old)) || !(await create(path, mark))) return null;
  }
  const timer = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), beatMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if ((await readFile(path, "utf8").catch(() => "")) === mark) await rm(path, { force: true });
  };
}

async function create(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    await file.writeFile(mark);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isStale(path: string, content: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (!found || Date.now() - found.mtimeMs > staleMs) return true;
  const [, pid, host] = /^\{"pid":(\d+),"host":"([^"]*)"/.exec(content) ?? [];
  return host === hostname() && !isAlive(Number(pid));
}

/** Removes a stale lock that several processes may find; a new lock that came in between is put back. */
async function setAside(path: string, old: string): Promise<boolean> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return true;
  }
  const isOld = (await readFile(aside, "utf8")) === old;
  if (!isOld) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
  return isOld;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
