import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { resolveProgram as findSource, type Program } from "~server/program";

export { passOnMessages, startThread } from "~server/program";

/** A bundle made by tests/config/programs-setup.ts for this run, or null. */
function findBundle(name: string): Program | null {
  const path = join(process.env.TEST_PROGRAMS ?? "", `${name}.js`);
  return existsSync(path) ? { path, nodeArguments: [], env: { NODE_ENV: "production" } } : null;
}

/** Replaces the engines' program in tests, because starting one from TypeScript takes seconds. */
export const resolveProgram = (folder: string, name: string): Program => findBundle(name) ?? findSource(folder, name);

/** The command that starts tests/support/worker-process.ts. */
export const findWorker = (): Program =>
  findBundle("worker-process") ?? {
    path: fileURLToPath(new URL("./worker-process.ts", import.meta.url)),
    nodeArguments: ["--import", "tsx"],
    env: { NODE_ENV: "production" },
  };
