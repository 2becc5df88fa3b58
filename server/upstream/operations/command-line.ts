import { parseArgs } from "node:util";
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
import { mistakes, reconcile } from "./commands/mistakes";
import { orders } from "./commands/orders";
import { packages } from "./commands/packages";
import { refund } from "./commands/refund";
import { reports } from "./commands/reports";
import { doctor, migrate } from "./commands/system";
import { grant, users } from "./commands/users";
import { required } from "./parse";

const commands: Record<string, Command> = { grant, refund, orders, mistakes, reconcile, users, packages, reports };
/** For the machinery rather than its books. */
const checkCommands: Record<string, CheckCommand> = { doctor, migrate };

export interface Surroundings {
  /** Opens what the operator works with, after everything typed was found in order. */
  open(actor: Actor): Promise<CommandContext & { close(): Promise<void> }>;
  house: OperatorChecks;
  /** Who it is unless `--operator` says otherwise; undefined where the system knows no name. */
  systemUser(): string | undefined;
  print(text: string): void;
  complain(text: string): void;
}

/** Does what `npm run ops -- <args>` says. Answers the exit code; what is not a refusal is complained of with its stack. */
export async function runCommandLine(args: string[], surroundings: Surroundings): Promise<number> {
  const { print, complain } = surroundings;
  try {
    const order = read(args, surroundings);
    if ("help" in order) {
      print(order.help);
      return exitCodes.done;
    }
    const report = await carryOut(order, surroundings);
    print(order.isJson ? JSON.stringify(report.data, null, 2) : report.text);
    return report.exitCode ?? exitCodes.done;
  } catch (error) {
    complain(explain(error));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

type Order = { isJson: boolean } & (
  | { act: Act; actor: Actor }
  | { runChecks: (house: OperatorChecks) => Promise<Report> }
);
type Typed = { help: string } | Order;

async function carryOut(order: Order, { open, house }: Surroundings): Promise<Report> {
  if ("runChecks" in order) return order.runChecks(house);
  const context = await open(order.actor);
  return order.act(context).finally(() => context.close());
}

const named = <T>(commands: Record<string, T>, name: string | undefined): T | undefined =>
  Object.entries(commands).find(([known]) => known === name)?.[1];

function read([name, ...args]: string[], { systemUser }: Surroundings): Typed {
  if (name === "--help" || name === "-h" || name === "help")
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

function parse({ values = [], flags = [] }: Pick<Command, "values" | "flags">, args: string[]) {
  const options = {
    ...common,
    ...Object.fromEntries(values.map((name) => [name, { type: "string" as const }])),
    ...Object.fromEntries(flags.map((name) => [name, { type: "boolean" as const }])),
  };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Errors of ours speak for themselves. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nSee: npm run ops -- --help`;
  if (!(error instanceof Error)) return String(error);
  const isKnown = ["AppError", "GatewayError", "ConfigError"].includes(error.name);
  return isKnown ? error.message : (error.stack ?? error.message);
}
