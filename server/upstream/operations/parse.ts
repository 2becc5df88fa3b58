import { type ParseArgsConfig, parseArgs } from "node:util";
import { dayBounds, dayOf } from "../calendar";
import type { AccountSelector } from "./account-directory";
import { type CommandInput, UsageError } from "./command";

/** Words and options. Throws UsageError for an unknown option, without the parser's hint to words that begin with `-`. */
export function parseArguments<T extends ParseArgsConfig["options"]>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replace(/\. To specify .*/s, "") : String(error));
  }
}

/** Fen of `39`, `39.9` or `39.90` yuan, without floating-point errors. */
export function parseYuan(text: string): number {
  const [, yuan, fen = ""] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const amount = yuan === undefined ? 0 : Number(yuan) * 100 + Number(fen.padEnd(2, "0"));
  if (amount === 0) throw new UsageError(`"${text}" is not an amount in yuan, like 39 or 39.90`);
  return amount;
}

export function parseCount(text: string, { name, max }: { name: string; max: number }): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > max) throw new UsageError(`${name} is a whole number from 1 to ${max}, not "${text}"`);
  return count;
}

/** An existing day, `YYYY-MM-DD`. */
export function parseDay(text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDay || dayOf(dayBounds(text).from) !== text) throw new UsageError(`"${text}" is not a day, like 2027-01-31`);
  return text;
}

export function parseId(text: string, name: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new UsageError(`"${text}" is not ${name}`);
  return text.toLowerCase();
}

/** A payment's or refund's number, with or without copied spaces. */
export function parseNumber(text: string, name: string): string {
  const number = text.trim();
  if (!/^[\w-][\w -]{2,62}[\w-]$/.test(number)) throw new UsageError(`"${text}" is not ${name}`);
  return number;
}

function parsePhone(text: string): string {
  if (!/^1\d{10}$/.test(text)) throw new UsageError(`"${text}" is not a mobile phone number of 11 digits`);
  return text;
}

export function parseChoice<T extends string>(text: string, choices: readonly T[], name: string): T {
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw new UsageError(`${name} is one of ${choices.join(", ")}, not "${text}"`);
  return choice;
}

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === "") throw new UsageError(`${name} is missing`);
  return value;
}

/** Requires exactly one word per name. */
export function requireWords(words: string[], names: string[]): string[] {
  if (words.length > names.length) throw new UsageError(`"${words[names.length]}" is one word too many`);
  return names.map((name, index) => required(words[index], name));
}

/** Refuses options of the command's other forms. */
export function refuseOptions({ values, flags }: Pick<CommandInput, "values" | "flags">, form: string) {
  const extra = Object.keys({ ...values, ...flags })[0];
  if (extra) throw new UsageError(`--${extra} is not for ${form}`);
}

/** `--account` or `--phone`, not both. */
export function readAccountSelector({ values: { account, phone } }: CommandInput): AccountSelector | undefined {
  if (account !== undefined && phone !== undefined) throw new UsageError("either --account or --phone, not both");
  if (account !== undefined) return { accountId: parseId(account, "an account's id") };
  return phone === undefined ? undefined : { phone: parsePhone(phone) };
}

export function requireAccountSelector(input: CommandInput): AccountSelector {
  const selector = readAccountSelector(input);
  if (!selector) throw new UsageError("whose? --account or --phone is missing");
  return selector;
}
