import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

export interface Program {
  path: string;
  /** Node options that the file needs. */
  nodeArguments: string[];
  /** The complete environment; nothing is inherited from the server. */
  env: { NODE_ENV: "production" } & Record<string, string>;
}

/** Locates a child program: its TypeScript source in development, its bundle beside the server's bundle otherwise. */
export function resolveProgram(folder: string, name: string): Program {
  const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  if (import.meta.url.endsWith(".ts")) {
    const loader = createRequire(import.meta.url).resolve("tsx");
    const env = { NODE_ENV: "production", TSX_TSCONFIG_PATH: pathOf("../tsconfig.json") } as const;
    return { path: pathOf(`./${folder}/${name}.ts`), nodeArguments: ["--import", loader], env };
  }
  const candidates = [pathOf(`./${name}.js`), pathOf(`../${name}.js`)] as const;
  return { path: candidates.find(existsSync) ?? candidates[0], nodeArguments: [], env: { NODE_ENV: "production" } };
}

/** Starts a program as a worker thread of this process. */
export function startThread({ path, env }: Program, options: Omit<WorkerOptions, "env" | "eval"> = {}): Worker {
  if (path.endsWith(".js")) return new Worker(path, { ...options, env });
  // tsx must be registered in the thread before the first TypeScript import.
  const url = JSON.stringify(pathToFileURL(path).href);
  const loader = `import("tsx/esm/api").then(({ register }) => { register(); return import(${url}); })`;
  return new Worker(loader, { ...options, env, eval: true });
}

/** Ends this child program with the process that forked it, also where that one ended while this one was loading. */
export function endWithParent(): void {
  process.once("disconnect", () => process.exit(0));
  if (!process.connected) process.exit(0);
}

const messageLimit = { lines: 50, characters: 8 * 1024, ms: 60_000 } as const;

/**
 * Logs each line that a child writes to its piped error output, up to 50 lines and 8,192 characters a minute, and drops
 * the rest: a faulty program must not fill the log. Does not keep this process alive while the child runs.
 */
export function passOnMessages(child: ChildProcess, name: string, write = logLine): void {
  const errors = child.stderr as Socket | null;
  if (!errors) return;
  let minuteEnds = 0;
  let left = { lines: 0, characters: 0 };
  let unfinished = "";
  const pass = (line: string) => {
    if (left.lines <= 0 || left.characters <= 0 || line.trim() === "") return;
    write(name, line.slice(0, left.characters));
    left = { lines: left.lines - 1, characters: left.characters - line.length };
    if (left.lines <= 0 || left.characters <= 0) write(name, "writes too much; the rest of this minute is dropped");
  };
  errors.setEncoding("utf8").on("data", (text: string) => {
    if (performance.now() >= minuteEnds) {
      minuteEnds = performance.now() + messageLimit.ms;
      left = { ...messageLimit };
    }
    const lines = (unfinished + text).split("\n");
    unfinished = (lines.pop() ?? "").slice(0, messageLimit.characters);
    for (const line of lines) pass(line);
  });
  errors.once("end", () => pass(unfinished));
  errors.unref();
  // What it wrote last is still read.
  child.once("exit", () => errors.ref());
}

/** A line in the form of the server's log, whose level is `warn`. */
function logLine(program: string, msg: string): void {
  process.stdout.write(`${JSON.stringify({ level: 40, time: new Date().toISOString(), program, msg })}\n`);
}
