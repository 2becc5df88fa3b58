import { parseArgs } from "node:util";
import { type Act, type Command, exitCodes, type Office, UsageError } from "./command";
import { grant } from "./commands/grant";
import { orders } from "./commands/orders";
import { packages } from "./commands/packages";
import { reconcile } from "./commands/reconcile";
import { refund } from "./commands/refund";
import { reports } from "./commands/reports";
import { users } from "./commands/users";
import { commandHelp, overallHelp } from "./help";
import { required } from "./parse";

const commands: Record<string, Command> = { grant, refund, orders, reconcile, users, packages, reports };

export interface Surroundings {
  /** Opens what the operator works with, after everything typed was found in order. */
  open(operator: string): Promise<Office & { close(): Promise<void> }>;
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
    const office = await surroundings.open(order.operator);
    const report = await order.act(office).finally(() => office.close());
    print(order.isJson ? JSON.stringify(report.data, null, 2) : report.text);
    return report.exitCode ?? exitCodes.done;
  } catch (error) {
    complain(explain(error));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

type Typed = { help: string } | { act: Act; operator: string; isJson: boolean };

function read([name, ...args]: string[], { systemUser }: Surroundings): Typed {
  if (name === "--help" || name === "-h" || name === "help") return { help: overallHelp(commands) };
  const command = name === undefined ? undefined : Object.entries(commands).find(([known]) => known === name)?.[1];
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
  const act = command.read({ words: positionals, values, flags });
  const operator = options.operator ?? systemUser();
  return {
    act,
    operator: required(typeof operator === "string" ? operator : undefined, "your name (--operator)"),
    isJson: options.json === true,
  };
}

const common: Record<string, { type: "string" | "boolean"; short?: string }> = {
  operator: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

function parse({ values = [], flags = [] }: Command, args: string[]) {
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
