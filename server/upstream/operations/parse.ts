import { type ParseArgsConfig, parseArgs } from "node:util";
import { dayBounds, dayOf } from "../calendar";
import type { AccountSelector } from "./account-directory";
import { UsageError } from "./command";

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

/** A phone or an account's id, also as `phone:…` and `account:…`. */
export function toAccountSelector(text: string): AccountSelector {
  const [, form, value = ""] = /^(?:(phone|account):)?(.*)$/s.exec(text.trim()) ?? [];
  if (form === "phone" || (form === undefined && /^1\d{10}$/.test(value))) return { phone: parsePhone(value) };
  return { accountId: parseId(value, "an account's id") };
}
