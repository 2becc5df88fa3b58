import { ConfigError } from "../../config";
import { type ArrivalReport, reportArrival, setDeclined } from "../../speech/models/arrival";
import {
  formatBytes,
  InstallError,
  type InstallOptions,
  installSet,
  isInstalled,
  type ModelStore,
  removeSet,
  requireSet,
  verifySet,
} from "../../speech/models/install";
import { type ModelSet, modelSets, sizeOf } from "../../speech/models/manifest";
import { type RuntimeName, runtimes } from "../../speech/models/runtimes";
import type { Measurement } from "../compose/natural-voices";
import { exitCodes, UsageError } from "./command";
import { parseArguments, parseChoice } from "./parse";
import { createProgress, type Terminal } from "./progress";

export interface VoicesOptions {
  store: ModelStore;
  /** Standard output, and the errors' one for progress. */
  print(text: string): void;
  terminal: Terminal;
  /** The answer to a question with yes or no; null without a terminal. */
  ask: ((question: string) => Promise<boolean>) | null;
  installRuntime(folder: string, name: RuntimeName, signal: AbortSignal): Promise<boolean>;
  measure(folder: string, runtime: RuntimeName, onMeasure: (found: Measurement) => void): Promise<Measurement>;
  signal: AbortSignal;
  download?: Pick<InstallOptions, "dispatcher" | "retries" | "backoffMs" | "stallMs">;
}

const help = `npm run voices -- COMMAND

  list                      the models, their size, and what is installed
  install NAME [--accept]   download, check and try a model; --accept: its licence, without being asked
  verify [NAME]             compare installed files with their hashes
  remove NAME               also keeps it from coming by itself again
  licence [NAME]            licences, and what may not be sold

Models lie in DATA_DIR/models. VOICES_MIRROR names addresses to ask before the publishers; HTTPS_PROXY, HTTP_PROXY and
NO_PROXY are respected. A running product uses voices within seconds, and other models after a restart, unless
SPEECH_ENGINES is set. VOICES names the models that the product installs by itself: kokoro where it is unset, nothing for VOICES=none.
Exit codes: 0 done, 1 refused or failed, 2 typed wrongly.`;

/** Runs `npm run voices -- <args>` and returns the exit code. Reads the settings after the arguments are validated. */
export async function runVoicesCommand(
  args: string[],
  { openStore, ...surroundings }: Omit<VoicesOptions, "store"> & { openStore(): ModelStore },
): Promise<number> {
  try {
    const { command, name, isAccepted } = readArguments(args);
    if (command === "help") {
      surroundings.print(help);
      return exitCodes.done;
    }
    const options = { ...surroundings, store: openStore() };
    if (command === "list") options.print(listModels(options.store));
    else if (command === "licence") options.print(licencesOf(options.store, name));
    else if (command === "verify") return await verify(options, name);
    else if (command === "install") await install(options, requireName(name), isAccepted);
    else await remove(options, requireName(name));
    return exitCodes.done;
  } catch (error) {
    surroundings.terminal.write(`${explain(error, surroundings.signal)}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

function readArguments(args: string[]) {
  const { positionals, values } = parseArguments(args, {
    accept: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  });
  const isAccepted = values.accept === true;
  const [typed = "help", name, ...more] = positionals;
  if (values.help || typed === "help") return { command: "help" as const, isAccepted };
  const command = parseChoice(typed, ["list", "install", "verify", "remove", "licence"], "COMMAND");
  const extra = command === "list" ? name : more[0];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many`);
  if (isAccepted && command !== "install") throw new UsageError(`--accept is not for ${command}`);
  if (command === "install" || command === "remove") requireName(name);
  return { command, name, isAccepted };
}

function requireName(name: string | undefined): string {
  if (name === undefined) throw new UsageError("which model? npm run voices -- list");
  return name;
}

function explain(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "\ninterrupted; the same command goes on with what has arrived";
  if (error instanceof UsageError) return `${error.message}\nSee: npm run voices -- help`;
  if (error instanceof InstallError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function listModels(store: ModelStore): string {
  const rows = Object.entries(store.sets ?? modelSets).map(([name, set]) => {
    const state = isInstalled(store, name) ? "installed" : "-";
    return rowOf([name, sizeText(set), set.mayBeSold, state, set.title]);
  });
  return [rowOf(["name", "size", "may be sold", "state", "what it is"]), ...rows].join("\n");
}

const columnWidths = [13, 22, 13, 11];
const rowOf = (cells: string[]) => cells.map((cell, i) => cell.padEnd(columnWidths[i] ?? 0)).join("");

function sizeText(set: ModelSet): string {
  const { bytes, unstated } = sizeOf(set);
  if (bytes === 0) return "size not stated";
  return unstated === 0 ? formatBytes(bytes) : `${formatBytes(bytes)} + ${unstated} files`;
}

const soldTexts = {
  yes: "may be used in a paid service",
  no: "MAY NOT be used in a paid service",
  unclear: "is NOT CLEARED for a paid service: ask its authors before you take money for what it speaks",
};

function licencesOf({ sets = modelSets }: ModelStore, name: string | undefined): string {
  const chosen = name === undefined ? Object.entries(sets) : [[name, requireSet(name, sets)] as const];
  return chosen.map(([each, set]) => [`${each}: ${set.title}`, ...termsOf(set)].join("\n  ")).join("\n");
}

const termsOf = ({ licence, mayBeSold, about }: ModelSet) => [
  `licence: ${licence}`,
  `it ${soldTexts[mayBeSold]}`,
  about,
];

async function verify({ store, print }: VoicesOptions, name: string | undefined): Promise<number> {
  const names =
    name === undefined ? Object.keys(store.sets ?? modelSets).filter((each) => isInstalled(store, each)) : [name];
  let isRight = true;
  for (const each of names) {
    const wrong = await verifySet(store, each);
    isRight &&= wrong.length === 0;
    print(wrong.length === 0 ? `${each}: every file is right` : `${each}: wrong or missing: ${wrong.join(", ")}`);
  }
  if (names.length === 0) print("nothing is installed");
  else if (!isRight) print("remove it and install it again");
  return isRight ? exitCodes.done : exitCodes.failed;
}

/** Parts that the product uses by themselves, with the addon. */
const sherpaParts = new Set(["campplus"]);

async function install(options: VoicesOptions, name: string, isAccepted: boolean): Promise<void> {
  const { store, print } = options;
  const set = requireSet(name, store.sets);
  print([`${name}: ${set.title}`, `size: ${sizeText(set)}`, ...termsOf(set)].join("\n  "));
  if (isInstalled(store, name)) print(`${name} is installed already`);
  else if (!isAccepted && !(await isAcceptedByOperator(options)))
    throw new InstallError("not accepted; nothing was downloaded");
  setDeclined(store.folder, name, false);
  const report = reportArrival(store.folder, { set: name, total: sizeOf(set).bytes });
  try {
    await installReported(options, name, set, report);
    report.end("done");
  } catch (error) {
    if (options.signal.aborted) report.end("done");
    else report.end(error instanceof InstallError ? error.fault : "other");
    throw error;
  }
}

async function installReported(options: VoicesOptions, name: string, set: ModelSet, report: ArrivalReport) {
  const { store, print, terminal, signal } = options;
  const progress = createProgress(terminal);
  let complete = 0;
  const folder = await installSet(store, name, {
    ...options.download,
    signal,
    onFile: (file) => {
      complete = set.files.slice(0, set.files.indexOf(file)).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
      report.update({ received: complete, bytesPerSecond: 0 });
    },
    onProgress: (file, received, total) => {
      const bytesPerSecond = progress.update(file.name, received, total);
      report.update({ received: complete + received, bytesPerSecond });
    },
  });
  if (set.kind === "part" && !sherpaParts.has(name)) return print(`${name} is installed at ${folder}`);
  const runtime = set.runtime ?? "sherpa-onnx-node";
  report.update({ step: "runtime" });
  print(`looking for the engine, ${runtime}; npm installs it where it is missing (${runtimes[runtime].megabytes} MB)`);
  if (await options.installRuntime(store.folder, runtime, signal)) print(`${runtime} is installed beside the models`);
  report.update({ step: "trying" });
  if (set.kind === "voice") await tryVoice(options, folder, runtime);
  const use = set.kind === "voice" ? "a running product uses it" : "restart the product to use it";
  print(`${name} is installed at ${folder}; ${use}`);
}

async function tryVoice({ print, measure }: VoicesOptions, folder: string, runtime: RuntimeName) {
  print("trying it: a sentence with every number of threads");
  const found = await measure(folder, runtime, (each) => print(`  ${measured(each)}`));
  print(`it spoke; fastest here: ${measured(found)}`);
  if (found.realTimeFactor > 1) print("that is slower than speech: a task takes longer than it lasts");
}

async function isAcceptedByOperator({ ask }: VoicesOptions): Promise<boolean> {
  if (!ask) throw new InstallError("no terminal to ask on: add --accept to accept the licence");
  return ask("Install it? [y/N] ");
}

const measured = ({ threads, steps, realTimeFactor }: Measurement) =>
  `${threads} ${threads === 1 ? "thread" : "threads"}${steps ? `, ${steps} steps` : ""}: ${realTimeFactor.toFixed(2)} s for a second of speech`;

async function remove({ store, print }: VoicesOptions, name: string): Promise<void> {
  const isRemoved = await removeSet(store, name);
  setDeclined(store.folder, name, true);
  print(isRemoved ? `${name} is removed; restart the product` : `${name} is not installed`);
}
