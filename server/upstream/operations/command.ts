import type { Billing } from "../billing/billing";
import type { Operations } from "../billing/operations";
import type { Reviews } from "../square/reviews";
import type { ProofReviews } from "../voices/proofs/reviews";
import type { Takedowns } from "../voices/takedowns";
import type { AccountDirectory } from "./account-directory";
import type { Finding } from "./doctor/finding";

/** The services that commands use, for one operator. */
export interface CommandContext {
  operations: Operations;
  billing: Pick<Billing, "membership" | "quota">;
  people: AccountDirectory;
  reviews: Reviews;
  takedowns: Takedowns;
  proofReviews: ProofReviews;
}

/** The arguments after the command's name. */
export interface CommandInput {
  words: string[];
  values: Record<string, string | undefined>;
  flags: Record<string, boolean | undefined>;
  /** `--reason`. */
  reason?: string | undefined;
}

export interface Report {
  /** For `--json`: times as RFC 3339 in Asia/Shanghai, money in fen. */
  data: unknown;
  /** For people. */
  text: string;
  exitCode?: number;
}

export type Act = (context: CommandContext) => Promise<Report>;

export interface Command {
  summary: string;
  /** The forms of the arguments, one line each. */
  forms: string[];
  notes?: string[];
  /** Names of options with a value, and without. */
  values?: string[];
  flags?: string[];
  /** Parses the arguments before the database is opened. Throws UsageError. */
  read(input: CommandInput): Act;
}

/** Checks that need no command context: the settings may be wrong or the database unreachable. */
export interface OperatorChecks {
  /** Sends a test code to the phone, if one is given. */
  diagnose(testPhone?: string): Promise<Finding[]>;
  /** Migrates the database. Returns the names of the migrations that ran. */
  migrate(): Promise<string[]>;
}

export interface CheckCommand extends Omit<Command, "read"> {
  read(input: CommandInput): (checks: OperatorChecks) => Promise<Report>;
}

/** Wrong arguments. Nothing was opened or changed. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** 0 done · 1 refused or failed · 2 wrong arguments · 3 done, with findings. */
export const exitCodes = { done: 0, failed: 1, usage: 2, differences: 3 } as const;

const program = "npm run ops --";

const common = [
  "  --operator NAME  who the audit names; the system's user unless said otherwise",
  "  --reason TEXT    why; the audit keeps it, and acts on money demand it",
  "  --json           the answer as JSON: money in fen, times with +08:00 (npm: npm run --silent ops -- …)",
  "  --help           what a command takes",
];

export function overallHelp(commands: Record<string, Pick<Command, "summary">>): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    `${program} COMMAND [options]`,
    "",
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    ...common,
    "",
    "Money is typed in yuan, days are of Asia/Shanghai. Every act on the books leaves an audit row.",
    "Exit codes: 0 done, 1 refused or failed, 2 typed wrongly, 3 reconcile found differences.",
    "Beside a running server on the built-in database the command runs in that server: call as the server's system user.",
  ].join("\n");
}

export function commandHelp(name: string, { summary, forms, notes = [] }: Omit<Command, "read">): string {
  return [
    `${name}: ${summary}`,
    "",
    ...forms.map((form) => `  ${program} ${name} ${form}`.trimEnd()),
    "",
    ...notes,
    ...(notes.length > 0 ? [""] : []),
    ...common,
  ].join("\n");
}
