import { phonePattern } from "~server/contract/calls/users";
import type { Actor } from "../billing/operations";
import {
  type CheckCommand,
  type CommandContext,
  commandHelp,
  exitCodes,
  type OperatorChecks,
  overallHelp,
  type Report,
  UsageError,
} from "./command";
import { formOf, isCommon, optionTypes, parseWithCommon, readOperation } from "./command-arguments";
import type { Finding } from "./doctor/finding";
import { formatTableOf, toJson } from "./format";
import type { Column, Operation, OperationOutcome, Section } from "./operation";
import { required } from "./parse";
import { operationsNamed, operationTable } from "./table";

const doctor: CheckCommand = {
  summary: "examine settings, database, storage, speech, gateways, clock and disk",
  forms: ["[--sms PHONE]"],
  notes: [
    "--sms sends a test code to that phone, which costs a message; without it the provider is not tried.",
    "Changes nothing but a small file that it puts into the storage and deletes.",
    "Exit codes: 0 all is well, or there are warnings; 1 something fails.",
  ],
  values: ["sms"],
  read({ sms }) {
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
  read() {
    return async (checks) => {
      const done = await checks.migrate();
      return { data: done, text: done.length === 0 ? "nothing to do" : `done: ${done.join(", ")}` };
    };
  },
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
    printError(explain(error, args[0]));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

type Order = { isJson: boolean } & (
  | { row: Operation; input: never; actor: Actor }
  | { runChecks: (checks: OperatorChecks) => Promise<Report> }
);
type Typed = { help: string } | Order;

async function execute(order: Order, { open, checks }: CommandLineOptions): Promise<Report> {
  if ("runChecks" in order) return order.runChecks(checks);
  const context = await open(order.actor);
  return toReport(await order.row.run(context, order.input).finally(() => context.close()));
}

/** An operation's outcome for people and for programs. */
function toReport({ sections = [], message, empty, data, exitCode }: OperationOutcome): Report {
  const filled = sections.filter(({ rows }) => rows.length > 0);
  const shown = ({ columns, rows }: Section) => formatTableOf({ columns: without(columns, "json"), rows });
  const text = message ?? (filled.length === 0 ? (empty ?? "nothing") : filled.map(shown).join("\n\n"));
  const listed = Object.fromEntries(sections.map((section) => [section.name, jsonRowsOf(section)]));
  const json = data ?? (sections.length === 1 ? Object.values(listed)[0] : listed);
  return { data: toJson(json), text, ...(exitCode !== undefined && { exitCode }) };
}

const without = (columns: Column[], only: Column["only"]) => columns.filter((column) => column.only !== only);

const jsonRowsOf = ({ columns, rows }: Section) =>
  rows.map((row) => Object.fromEntries(without(columns, "table").map(({ key }) => [key, row[key]])));

function read([name, ...args]: string[], { systemUser }: Pick<CommandLineOptions, "systemUser">): Typed {
  if (name === "help") return read([...args, "--help"], { systemUser });
  if (name?.startsWith("-") && parseWithCommon([name, ...args], {}).values.help) return { help: helpOfAll() };
  if (name === undefined) throw new UsageError("which command?");
  const check = Object.entries(checkCommands).find(([known]) => known === name)?.[1];
  if (check) return readCheck(name, check, args);
  const rows = operationsNamed(name);
  if (rows.length === 0) throw new UsageError(`there is no command "${name}"`);
  const { values, positionals } = parseWithCommon(args, optionTypes(rows));
  if (values.help) {
    const forms = rows.map((row) => ({ form: formOf(row), summary: row.summary }));
    return {
      help: commandHelp(
        forms,
        rows.flatMap(({ notes = [] }) => notes),
      ),
    };
  }
  const { row, input, reason } = readOperation(rows, positionals, values);
  const operator = values.operator ?? systemUser();
  const whose = required(typeof operator === "string" ? operator : undefined, "your name (--operator)");
  return { row, input, actor: { operator: whose, reason }, isJson: values.json === true };
}

function readCheck(name: string, check: CheckCommand, args: string[]): Typed {
  const own = Object.fromEntries((check.values ?? []).map((value) => [value, { type: "string" as const }]));
  const { values, positionals } = parseWithCommon(args, own);
  const forms = check.forms.map((form) => ({ form: `${name} ${form}`.trim(), summary: check.summary }));
  if (values.help) return { help: commandHelp(forms, check.notes ?? []) };
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one word too many`);
  const given = Object.entries(values).filter(([option]) => !isCommon(option));
  return { runChecks: check.read(Object.fromEntries(given) as Record<string, string>), isJson: values.json === true };
}

const helpOfAll = () =>
  overallHelp([
    ...operationTable.map(({ cli, summary }) => ({
      form: [...cli.words, ...(cli.option ? [`--${cli.option.name}`] : [])].join(" "),
      summary,
    })),
    ...Object.entries(checkCommands).map(([form, { summary }]) => ({ form, summary })),
  ]);

/** Known errors are printed without their stack. */
function explain(error: unknown, name = ""): string {
  const isCommand = Object.hasOwn(checkCommands, name) || operationsNamed(name).length > 0;
  if (error instanceof UsageError) return `${error.message}\nSee: npm run ops -- ${isCommand ? `${name} ` : ""}--help`;
  if (!(error instanceof Error)) return String(error);
  const isKnown = ["AppError", "GatewayError", "ConfigError", "DatabaseUnavailable"].includes(error.name);
  return isKnown ? error.message : (error.stack ?? error.message);
}
