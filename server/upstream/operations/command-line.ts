import { phonePattern } from "~server/contract/calls/users";
import type { Actor } from "../billing/operations";
import {
  type Act,
  type CheckCommand,
  type Command,
  type CommandContext,
  commandHelp,
  exitCodes,
  type OperatorChecks,
  overallHelp,
  type Report,
  UsageError,
} from "./command";
import { anomalies, reconcile } from "./commands/anomalies";
import { reports, takedown } from "./commands/moderation";
import { orders } from "./commands/orders";
import { packages } from "./commands/packages";
import { proofs } from "./commands/proofs";
import { refund } from "./commands/refund";
import { grant, users } from "./commands/users";
import type { Finding } from "./doctor/finding";
import { parseArguments, required, requireWords } from "./parse";

const doctor: CheckCommand = {
  summary: "examine settings, database, storage, speech, gateways, clock and disk",
  forms: ["[--sms PHONE]"],
  notes: [
    "--sms sends a test code to that phone, which costs a message; without it the provider is not tried.",
    "Changes nothing but a small file that it puts into the storage and deletes.",
    "Exit codes: 0 all is well, or there are warnings; 1 something fails.",
  ],
  values: ["sms"],
  read({ words, values: { sms } }) {
    requireWords(words, []);
    if (sms !== undefined && !phonePattern.test(sms)) throw new UsageError("--sms is a phone of 11 digits");
    return async (checks) => {
      const found = await checks.diagnose(sms);
      const hasFailed = found.some(({ state }) => state === "fail");
      return {
        data: found,
        text: found.map(toLine).join("\n"),
        exitCode: hasFailed ? exitCodes.failed : exitCodes.done,
      };
    };
  },
};

const toLine = ({ about, state, message, todo }: Finding): string =>
  `${state.padEnd(5)}${about.padEnd(10)}${message}${todo ? `\n${" ".repeat(15)}→ ${todo}` : ""}`;

const migrate: CheckCommand = {
  summary: "bring the database's schema up to date",
  forms: [""],
  notes: ["Servers do the same when they start. Concurrent migrations wait."],
  read({ words }) {
    requireWords(words, []);
    return async (checks) => {
      const done = await checks.migrate();
      return { data: done, text: done.length === 0 ? "nothing to do" : `done: ${done.join(", ")}` };
    };
  },
};

const commands: Record<string, Command> = {
  grant,
  refund,
  orders,
  anomalies,
  reconcile,
  users,
  packages,
  reports,
  takedown,
  proofs,
};
/** Commands that need no open database. */
const checkCommands: Record<string, CheckCommand> = { doctor, migrate };

export interface CommandLineOptions {
  /** Called after the arguments are validated; the exit code of the server that ran the command, or null to run it here. */
  runInServer?(): Promise<number | null>;
  open(actor: Actor): Promise<CommandContext & { close(): Promise<void> }>;
  checks: OperatorChecks;
  /** The default of `--operator`; undefined for a system user without a name. */
  systemUser(): string | undefined;
  print(text: string): void;
  printError(text: string): void;
}

/** Runs `npm run ops -- <args>` and returns the exit code. Prints the stack of unexpected errors. */
export async function runCommandLine(args: string[], options: CommandLineOptions): Promise<number> {
  const { print, printError } = options;
  try {
    const order = read(args, options);
    if ("help" in order) {
      print(order.help);
      return exitCodes.done;
    }
    const elsewhere = (await options.runInServer?.()) ?? null;
    if (elsewhere !== null) return elsewhere;
    const report = await execute(order, options);
    print(order.isJson ? JSON.stringify(report.data, null, 2) : report.text);
    return report.exitCode ?? exitCodes.done;
  } catch (error) {
    printError(explain(error));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

type Order = { isJson: boolean } & (
  | { act: Act; actor: Actor }
  | { runChecks: (checks: OperatorChecks) => Promise<Report> }
);
type Typed = { help: string } | Order;

async function execute(order: Order, { open, checks }: CommandLineOptions): Promise<Report> {
  if ("runChecks" in order) return order.runChecks(checks);
  const context = await open(order.actor);
  return order.act(context).finally(() => context.close());
}

const named = <T>(commands: Record<string, T>, name: string | undefined): T | undefined =>
  Object.entries(commands).find(([known]) => known === name)?.[1];

function read([name, ...args]: string[], { systemUser }: Pick<CommandLineOptions, "systemUser">): Typed {
  if (name === "help") return read([...args, "--help"], { systemUser });
  if (name?.startsWith("-") && parse({}, [name, ...args]).values.help)
    return { help: overallHelp({ ...commands, ...checkCommands }) };
  const forBooks = named(commands, name);
  const forChecks = named(checkCommands, name);
  const command = forBooks ?? forChecks;
  if (!command || name === undefined) {
    throw new UsageError(name === undefined ? "which command?" : `there is no command "${name}"`);
  }
  const { values: options, positionals } = parse(command, args);
  if (options.help) return { help: commandHelp(name, command) };
  const values: Record<string, string> = {};
  const flags: Record<string, boolean> = {};
  for (const [option, value] of Object.entries(options)) {
    if (common[option]) continue;
    if (typeof value === "string") values[option] = value;
    else if (value === true) flags[option] = value;
  }
  const reason = typeof options.reason === "string" ? options.reason : undefined;
  const input = { words: positionals, values, flags, reason };
  const isJson = options.json === true;
  if (forChecks) return { runChecks: forChecks.read(input), isJson };
  const act = (forBooks as Command).read(input);
  const operator = options.operator ?? systemUser();
  const whose = required(typeof operator === "string" ? operator : undefined, "your name (--operator)");
  return { act, actor: { operator: whose, reason: reason?.trim() ?? "" }, isJson };
}

const common: Record<string, { type: "string" | "boolean"; short?: string }> = {
  operator: { type: "string" },
  reason: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

const parse = ({ values = [], flags = [] }: Pick<Command, "values" | "flags">, args: string[]) =>
  parseArguments(args, {
    ...common,
    ...Object.fromEntries(values.map((name) => [name, { type: "string" as const }])),
    ...Object.fromEntries(flags.map((name) => [name, { type: "boolean" as const }])),
  });

/** Known errors are printed without their stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nSee: npm run ops -- --help`;
  if (!(error instanceof Error)) return String(error);
  const isKnown = ["AppError", "GatewayError", "ConfigError", "DatabaseUnavailable"].includes(error.name);
  return isKnown ? error.message : (error.stack ?? error.message);
}
