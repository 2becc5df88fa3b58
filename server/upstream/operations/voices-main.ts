import { createInterface } from "node:readline/promises";
import { EnvHttpProxyAgent } from "undici";
import { readConfig } from "../../config";
import { endWithParent } from "../../program";
import { modelsFolder } from "../../settings/installed";
import type { ModelStore } from "../../speech/models/install";
import { readModelSets } from "../../speech/models/manifest";
import { installRuntime } from "../../speech/models/runtimes";
import { measureVoice } from "../compose/natural-voices";
import { runVoicesCommand } from "./voices-command";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

// Started by a server, and not by a person.
if (process.channel) {
  endWithParent();
  process.channel.unref();
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question, { signal: stop.signal })).trim());
  } finally {
    lines.close();
  }
}

function openStore(): ModelStore {
  const { dataDir, speech } = readConfig(process.env);
  const { mirrors = [], manifest } = speech;
  return { folder: modelsFolder(dataDir), mirrors, ...(manifest && { sets: readModelSets(manifest) }) };
}

// The engines' processes do not keep this one alive.
const alive = setInterval(() => {}, 60_000);
process.exitCode = await runVoicesCommand(process.argv.slice(2), {
  openStore,
  print: (text) => process.stdout.write(`${text}\n`),
  terminal: process.stderr,
  ask: process.stdin.isTTY ? ask : null,
  installRuntime,
  measure: measureVoice,
  signal: stop.signal,
  download: { dispatcher: new EnvHttpProxyAgent() },
}).finally(() => clearInterval(alive));
