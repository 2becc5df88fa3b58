import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./postgres";

const root = fileURLToPath(new URL("../..", import.meta.url));
const startMs = 180_000;

export interface Product {
  url: string;
  process: ChildProcess;
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the built product on a free port with its own data folder and waits until it is ready. */
export async function startProduct(env: Record<string, string> = {}): Promise<Product> {
  const port = Number(env.PORT ?? (await freePort()));
  const dataDir = env.DATA_DIR ?? (await createDataDir(env));
  const child = spawn(process.execPath, ["build/server/index.js"], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      VOICES: "none",
      PORT: String(port),
      DATA_DIR: dataDir,
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const product: Product = {
    url: `http://localhost:${port}`,
    process: child,
    output: () => output,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
      // Children of a killed server may still write for a moment.
      if (!env.DATA_DIR) rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  await waitUntilReady(product);
  return product;
}

/** An empty folder, or a copy of the run's initial data, because setting up a database takes seconds. */
async function createDataDir({ DATABASE_URL, ROLE = "all" }: Record<string, string>): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "product-"));
  const first = process.env.FIRST_START_DATA;
  // Uses its own session secret.
  const isWanted = (path: string) => !path.endsWith("session-secret");
  if (first && ROLE === "all" && !DATABASE_URL) await cp(first, dir, { recursive: true, filter: isWanted });
  return dir;
}

async function waitUntilReady(product: Product) {
  const deadline = Date.now() + startMs;
  while (Date.now() < deadline && product.process.exitCode === null) {
    const answer = await fetch(`${product.url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await product.stop("SIGKILL");
  throw new Error(`The product did not start:\n${product.output()}`);
}
