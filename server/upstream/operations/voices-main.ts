import { createInterface } from "node:readline/promises";
import { EnvHttpProxyAgent } from "undici";
import { readConfig } from "../../config";
import { modelsFolder } from "../../settings/installed";
import { installSherpaAddon, measureVoice } from "../compose/natural-voices";
import { readModelSets } from "../speech/models/manifest";
import { exitCodes } from "./command";
import { runVoicesCommand } from "./voices-command";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question, { signal: stop.signal })).trim());
  } finally {
    lines.close();
  }
}

async function run(): Promise<number> {
  const { dataDir, speech } = readConfig(process.env);
  const folder = modelsFolder(dataDir);
  return runVoicesCommand(process.argv.slice(2), {
    store: { folder, mirrors: speech.mirrors ?? [], ...(speech.manifest && { sets: readModelSets(speech.manifest) }) },
    print: (text) => process.stdout.write(`${text}\n`),
    terminal: process.stderr,
    ask: process.stdin.isTTY ? ask : null,
    installAddon: (signal) => installSherpaAddon(folder, signal),
    measure: measureVoice,
    signal: stop.signal,
    download: { dispatcher: new EnvHttpProxyAgent() },
  });
}

// The engines' processes do not keep this one alive.
const alive = setInterval(() => {}, 60_000);
process.exitCode = await run()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  })
  .finally(() => clearInterval(alive));
