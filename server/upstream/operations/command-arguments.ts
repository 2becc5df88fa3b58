import type { ParseArgsConfig } from "node:util";
import { UsageError } from "./command";
import { describeField, type Operation } from "./operation";
import { parseArguments, required } from "./parse";

const common = {
  operator: { type: "string" },
  reason: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} satisfies ParseArgsConfig["options"];

type OptionTypes = Record<string, { type: "string" | "boolean"; short?: string }>;

/** Words and options with the options that every command has. Throws UsageError for others. */
export const parseWithCommon = (args: string[], own: OptionTypes) =>
  parseArguments(args, { ...own, ...common } as OptionTypes);

export const isCommon = (option: string): boolean => option in common;

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The options of an operation, with the field that each fills. */
function optionsOf({ cli, input }: Operation): { option: string; field: string; isFlag: boolean }[] {
  const { takes = [], option, aliases = {} } = cli;
  const taken = new Set([...takes, ...Object.values(aliases), ...(option ? [option.field] : [])]);
  const own = Object.keys(input.shape).filter((field) => !taken.has(field));
  return [
    ...(option ? [{ option: option.name, field: option.field, isFlag: false }] : []),
    ...Object.entries(aliases).map(([alias, field]) => ({ option: alias, field, isFlag: false })),
    ...own.map((field) => ({
      option: kebab(field),
      field,
      isFlag: describeField(input.shape[field] as never).kind === "flag",
    })),
  ];
}

export const optionTypes = (rows: Operation[]): OptionTypes =>
  Object.fromEntries(
    rows.flatMap(optionsOf).map(({ option, isFlag }) => [option, { type: isFlag ? "boolean" : "string" }]),
  );

const beginningOf = ({ cli: { words, takes = [], option }, input }: Operation): string =>
  [
    ...words,
    ...(option ? [`--${option.name} ${describeField(input.shape[option.field] as never).sample}`] : []),
    ...takes.map((field) => wordFor(field, input.shape[field] as never)),
  ].join(" ");

const wordFor = (field: string, schema: Parameters<typeof describeField>[0]) => {
  const { sample } = describeField(schema);
  return ["TEXT", "ID"].includes(sample) ? field.toUpperCase() : sample;
};

/** How an operation is typed, for its help. */
export function formOf(row: Operation): string {
  const { aliases = {}, option: chosen } = row.cli;
  const isAlias = (option: string) => option in aliases;
  const names = Object.keys(aliases);
  const options = optionsOf(row).filter(({ option }) => option !== chosen?.name && !isAlias(option));
  const aliased = names.map((name) => `--${name} ${name.toUpperCase()}`).join("|");
  const isNeeded =
    names.length > 0 && describeField(row.input.shape[Object.values(aliases)[0] ?? ""] as never).isRequired;
  return [
    beginningOf(row),
    ...(names.length > 0 ? [isNeeded ? aliased : `[${aliased}]`] : []),
    ...options.map(({ option, field }) => {
      const { isRequired, sample } = describeField(row.input.shape[field] as never);
      const text = `--${option} ${sample}`.trim();
      return isRequired ? text : `[${text}]`;
    }),
    ...(row.needsReason ? ["--reason TEXT"] : []),
  ].join(" ");
}

type Values = Record<string, string | boolean | undefined>;

/** The operation that is meant, and the words after its own. */
function choose(rows: Operation[], words: string[], values: Values): { row: Operation; rest: string[] } {
  const second = rows.filter(({ cli }) => cli.words.length > 1);
  const named = second.find(({ cli }) => cli.words[1] === words[0]);
  if (named) return { row: named, rest: words.slice(1) };
  const first = rows.filter(({ cli }) => cli.words.length === 1);
  const [chosen, other] = first.filter(({ cli }) => cli.option && values[cli.option.name] !== undefined);
  if (chosen && other)
    throw new UsageError(`either --${chosen.cli.option?.name} or --${other.cli.option?.name}, not both`);
  const plain = first.filter(({ cli }) => !cli.option);
  const takesWords = ({ cli }: Operation) => (cli.takes ?? []).length > 0;
  const fitting = plain.find((row) => takesWords(row) === words.length > 0) ?? plain[0];
  const row = chosen ?? fitting ?? (words.length === 0 ? second.find(({ cli }) => cli.isDefault) : undefined);
  if (row) return { row, rest: words };
  const choices = second.map(({ cli }) => cli.words[1]).join(", ");
  throw new UsageError(`${rows[0]?.cli.words[0]} is one of ${choices}, not "${words[0]}"`);
}

/** Fills the fields of an operation with what was typed. Throws UsageError. */
function fill(row: Operation, rest: string[], values: Values): Record<string, string> {
  const { takes = [], aliases = {} } = row.cli;
  if (rest.length > takes.length) throw new UsageError(`"${rest[takes.length]}" is one word too many`);
  const input: Record<string, string> = {};
  for (const [at, word] of rest.entries()) input[takes[at] ?? ""] = word;
  const known = new Map(optionsOf(row).map(({ option, field }) => [option, field]));
  for (const [option, value] of Object.entries(values)) {
    if (isCommon(option) || value === undefined) continue;
    const field = known.get(option);
    if (field === undefined)
      throw new UsageError(`--${option} is not for ${beginningOf(row)}: call it without --${option}`);
    if (field in input) {
      const both = Object.keys(aliases).map((name) => `--${name}`);
      throw new UsageError(`either ${both.join(" or ")}, not both`);
    }
    input[field] = option in aliases ? `${option}:${value}` : String(value);
  }
  return input;
}

/** The operation that was typed and its parsed input. Throws UsageError. */
export function readOperation(rows: Operation[], words: string[], values: Values) {
  const { row, rest } = choose(rows, words, values);
  const read = row.input.safeParse(fill(row, rest, values));
  if (!read.success) throw new UsageError(read.error.issues[0]?.message ?? "wrong arguments");
  const reason = typeof values.reason === "string" ? values.reason.trim() : "";
  if (row.needsReason) required(reason, "--reason");
  return { row, input: read.data as never, reason };
}
