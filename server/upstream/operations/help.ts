import type { Command } from "./command";

const program = "npm run ops --";

const common = [
  "  --operator NAME  who the audit names; the system's user unless said otherwise",
  "  --reason TEXT    why; the audit keeps it, and acts on money demand it",
  "  --json           the answer as JSON: money in fen, times with +08:00 (npm: npm run --silent ops -- …)",
  "  --help           what a command takes",
];

/** Whether a command line asks what it could be. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args[0] === "help" || args.some((arg) => arg === "--help" || arg === "-h");

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
