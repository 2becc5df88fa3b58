import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, realpathSync, renameSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import pg, { type ClientBase } from "pg";
import { resolveProgram, startThread } from "../../program";
import { closeToOthers } from "../../settings/private-files";
import { openPglite, type Pglite, ProtocolStream } from "./pglite";

export interface EmbeddedPlace {
  directory: string;
  /** Runs the database in a separate thread, as the server does, so that queries do not hold up its event loop. */
  hasOwnThread?: boolean;
  /** The database's thread ended unexpectedly; throws by default, which ends the process. Committed data stays whole. */
  onCrash?(error: Error): void;
}

/** A burst of calls waits for the one connection of the embedded engine instead of failing. */
const connectMs = 30_000;

/** A plan that was made for a small table would stay in use when the table has grown. */
const plansMaxAgeMs = 60_000;

/** Opens the database of a directory that only this process uses. Throws when another process has it open. */
export async function openEmbedded({ directory, hasOwnThread, onCrash = raise }: EmbeddedPlace) {
  mkdirSync(directory, { recursive: true });
  const release = await lockDirectory(directory);
  try {
    const pglite = hasOwnThread ? await openInThread(directory, onCrash) : await openPglite(directory);
    // The engine unpacks its first files as 0666; it makes later ones as 0600.
    closeToOthers(directory);
    // One connection: a query to the pool inside a transaction would deadlock, and fails by this time-out instead.
    const pool = new pg.Pool({
      stream: () => new ProtocolStream(pglite.exchange),
      user: "postgres",
      database: "postgres",
      ssl: false,
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: connectMs,
    });
    pool.on("connect", nameStatements);
    const replanning = setInterval(() => pool.query("discard plans").catch(() => {}), plansMaxAgeMs).unref();
    const close = async () => {
      clearInterval(replanning);
      await pglite.close();
      closeToOthers(directory);
      await release();
    };
    return { pool, engine: "embedded" as const, close };
  } catch (error) {
    await release();
    throw new Error(`${directory} does not open: ${(error as Error).message}; is its disk full?`, { cause: error });
  }
}

function raise(error: Error): never {
  throw error;
}

interface Waiting {
  resolve(response: Uint8Array): void;
  reject(error: Error): void;
}

async function openInThread(directory: string, onCrash: (error: Error) => void): Promise<Pglite> {
  const thread = startThread(resolveProgram("./upstream/db", "database-thread"), {
    workerData: directory,
    // It allocates only messages; V8's default of 48 MB would fill with garbage first.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
  const waiting: Waiting[] = [];
  let state: "opening" | "open" | "closing" = "opening";
  let ended: Error | undefined;
  const closed = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  const fail = (cause: unknown) => {
    if (ended) return;
    ended = new Error("The embedded database ended unexpectedly; the server must be started again", { cause });
    for (const { reject } of waiting.splice(0)) reject(ended);
    if (state === "open") onCrash(ended);
  };
  thread.once("error", fail);
  thread.once("exit", (code) => fail(`exit code ${code}`));
  await new Promise<void>((resolve, reject) => {
    waiting.push({ resolve: () => resolve(), reject: ({ cause }) => reject(cause) });
    thread.on("message", (response: Uint8Array) => waiting.shift()?.resolve(response));
  });
  state = "open";
  return {
    exchange: (messages) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.push({ resolve, reject });
        // A copy, because `pg` writes slices of larger buffers, which would be sent whole.
        const copy = new Uint8Array(messages);
        thread.postMessage(copy, [copy.buffer]);
      }),
    async close() {
      state = "closing";
      thread.postMessage("close");
      await closed;
    },
  };
}

/** Bounds the engine's memory. Lists of values make ever new texts: those beyond stay unnamed. */
const namesMax = 400;

/**
 * Prepares each text with parameters once per connection, under a name. Without one the engine parses and plans it anew
 * for every query: a page of clones took 3.4 ms of processor time, and takes 0.7 ms.
 */
function nameStatements(client: ClientBase): void {
  const names = new Map<unknown, string>();
  const query = client.query as (...sent: unknown[]) => unknown;
  const nameOf = (text: string) => {
    if (!names.has(text) && names.size < namesMax) names.set(text, `s${names.size}`);
    return names.get(text);
  };
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const isParameterised = typeof text === "string" && Array.isArray(values) && values.length > 0;
    const name = isParameterised ? nameOf(text) : undefined;
    return name ? query.call(client, { name, text, values }, ...rest) : query.call(client, text, values, ...rest);
  }) as typeof client.query;
}

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
 * would stay. The embedded database does not lock it, and two processes would lose writes. Throws when another
 * process holds the lock. Resolves to the function that releases it.
 */
async function lockDirectory(directory: string): Promise<() => Promise<void>> {
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
