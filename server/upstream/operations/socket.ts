import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod/v4";

/** One command line. `operator`: the name of the system user; null for a user without a name. */
export interface RemoteCommand {
  args: string[];
  operator: string | null;
}

export interface RemoteOutcome {
  exitCode: number;
  /** Standard output and standard error, in terminated lines. */
  out: string;
  err: string;
}

const commandShape = z.object({ args: z.array(z.string()), operator: z.string().nullable() });
const outcomeShape = z.object({ exitCode: z.number(), out: z.string(), err: z.string() });
const bodyMaxBytes = 256 * 1024;
/** Long enough for the bills of a day. */
const answerMs = 600_000;
/** The length of a Unix socket path is limited. */
const pathMaxLength = 100;

/** A directory that only its owner may enter: other system users except root cannot open the socket. */
function placeOf(dataDir: string): { directory: string; path: string } {
  const beside = join(resolve(dataDir), "operators");
  const hash = createHash("sha256").update(resolve(dataDir)).digest("hex").slice(0, 16);
  const isShort = join(beside, "server.sock").length <= pathMaxLength;
  const directory = isShort ? beside : join(tmpdir(), `operators-${hash}`);
  return { directory, path: join(directory, "server.sock") };
}

/**
 * Runs operators' commands from a Unix socket below `dataDir`, which other system users cannot open. Call it while holding
 * the lock of the data directory, because an existing socket is replaced. Throws where the directory belongs to another
 * user. Resolves to the function that stops listening.
 */
export async function listenForOperators(
  dataDir: string,
  run: (command: RemoteCommand) => Promise<RemoteOutcome>,
): Promise<() => Promise<void>> {
  const { directory, path } = placeOf(dataDir);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
  await requireOwnDirectory(directory);
  await rm(path, { force: true });
  const server = createServer((incoming, response) => void answer(incoming, response, run));
  await new Promise<void>((listening, failed) => {
    server.once("error", failed).listen(path, listening);
  });
  server.unref();
  return () =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeIdleConnections();
    });
}

async function requireOwnDirectory(directory: string) {
  const { uid, mode } = await lstat(directory).then((stats) => {
    if (!stats.isDirectory()) throw new Error(`${directory} is no directory`);
    return stats;
  });
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    throw new Error(`${directory} is open to other users of this machine`);
  }
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  run: (command: RemoteCommand) => Promise<RemoteOutcome>,
) {
  const command = commandShape.safeParse(await readJson(incoming).catch(() => null));
  if (!command.success) {
    response.writeHead(400).end();
    return;
  }
  const outcome = await run(command.data).catch((error: unknown) => ({ exitCode: 1, out: "", err: `${error}\n` }));
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(outcome));
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyMaxBytes) throw new RangeError("the body is too large");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

const noServerCodes = new Set(["ENOENT", "ECONNREFUSED"]);

/** Runs a command in the server of this data directory; null if no server listens. Throws without an answer. */
export function runInServer(dataDir: string, command: RemoteCommand): Promise<RemoteOutcome | null> {
  return new Promise((done, failed) => {
    const options = { socketPath: placeOf(dataDir).path, path: "/", method: "POST", timeout: answerMs };
    const asking = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", failed);
      response.on("end", () => {
        const outcome = outcomeShape.safeParse(response.statusCode === 200 ? JSON.parse(text) : null);
        if (outcome.success) done(outcome.data);
        else failed(new Error("the running server does not understand this command line: are both of one version?"));
      });
    });
    asking.on("timeout", () => asking.destroy(new Error("the running server does not answer")));
    asking.on("error", (error: NodeJS.ErrnoException) => {
      if (noServerCodes.has(error.code ?? "")) done(null);
      else failed(error);
    });
    asking.end(JSON.stringify(command));
  });
}
