import type { Billing } from "../billing/billing";
import type { Operations } from "../billing/operations";
import type { Db } from "../db/database";
import type { Queue } from "../jobs/queue";
import type { Reviews } from "../square/reviews";
import type { ProofReviews } from "../voices/proofs/reviews";
import type { Takedowns } from "../voices/takedowns";
import type { AccountDirectory } from "./account-directory";
import type { Finding } from "./doctor/finding";

/** The services that operations use, for one operator and reason. */
export interface CommandContext {
  /** Whom the audit names. */
  operator: string;
  /** Null on the command line. */
  operatorId: string | null;
  /** Does another operation for the operators named. Throws forbidden where the one who approves may not do it. */
  perform(request: { name: string; input: Record<string, string>; reason: string; operator: string }): Promise<void>;
  /** "" without one. */
  reason: string;
  db: Db;
  queue: Pick<Queue, "enqueue" | "wake">;
  now(): Date;
  operations: Operations;
  billing: Pick<Billing, "membership" | "quota">;
  people: AccountDirectory;
  reviews: Reviews;
  takedowns: Takedowns;
  proofReviews: ProofReviews;
}

export interface Report {
  /** For `--json`: times as RFC 3339 in Asia/Shanghai, money in fen. */
  data: unknown;
  /** For people. */
  text: string;
  exitCode?: number;
}

/** Checks that need no command context: the settings may be wrong or the database unreachable. */
export interface OperatorChecks {
  /** Sends a test code to the phone, if one is given. */
  diagnose(testPhone?: string): Promise<Finding[]>;
  /** Migrates the database. Returns the names of the migrations that ran. */
  migrate(): Promise<string[]>;
}

export interface CheckCommand {
  summary: string;
  forms: string[];
  notes?: string[];
  /** Names of options with a value. */
  values?: string[];
  /** Reads the options. Throws UsageError. */
  read(values: Record<string, string | undefined>): (checks: OperatorChecks) => Promise<Report>;
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
  "  --reason TEXT    why; the audit keeps it; `COMMAND --help` names it where it is demanded",
  "  --json           the answer as JSON: money in fen, times with +08:00 (npm: npm run --silent ops -- …)",
  "  --help           what a command takes",
];

/** One line for each command: how it begins, and what it does. */
export function overallHelp(commands: { form: string; summary: string }[]): string {
  const width = Math.max(...commands.map(({ form }) => form.length));
  return [
    `${program} COMMAND [options]`,
    "",
    ...commands.map(({ form, summary }) => `  ${form.padEnd(width)}  ${summary}`),
    "",
    ...common,
    "",
    "Money is typed in yuan, days are of Asia/Shanghai. Every act on the books leaves an audit row.",
    "Exit codes: 0 done, 1 refused or failed, 2 usage error, 3 reconcile found differences.",
    "Beside a running server on the built-in database the command runs in that server: call as the server's system user.",
  ].join("\n");
}

export function commandHelp(forms: { form: string; summary: string }[], notes: string[]): string {
  return [
    ...forms.flatMap(({ form, summary }) => [`  ${program} ${form}`, `      ${summary}`]),
    "",
    ...notes,
    ...(notes.length > 0 ? [""] : []),
    ...common,
  ].join("\n");
}
