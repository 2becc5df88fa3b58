import { z } from "zod/v4";
import { type CellKind, type FieldKind, type OperatorRole, operatorRoles } from "~server/contract/console";
import type { CommandContext } from "./command";
import {
  parseChoice,
  parseCount,
  parseDay,
  parseId,
  parseNumber,
  parseYuan,
  required,
  toAccountSelector,
} from "./parse";

/** One act or list of operators. The command line and the console are made of these rows alone. */
export interface Operation {
  /** Its name in the console's addresses, in the copy and in requests to a second person. */
  name: string;
  summary: string;
  cli: CommandForm;
  /** Besides the owner; the command line's user may do everything. */
  roles: readonly OperatorRole[];
  input: z.ZodObject;
  /** Lists change nothing. */
  isRead: boolean;
  needsReason: boolean;
  /** The console asks for a fresh code of the authenticator. */
  needsFreshCode: boolean;
  /** In the console another operator must approve it. */
  needsSecond: boolean;
  /** Only on the command line: it uses files of this machine. */
  isLocal: boolean;
  /** The read operation that the console shows above this one's form. */
  preview?: string;
  notes?: string[];
  run(context: CommandContext, input: never): Promise<OperationOutcome>;
}

/** How an operation is typed. */
export interface CommandForm {
  words: readonly string[];
  /** Fields that are typed as words, in their order. */
  takes?: readonly string[];
  /** An option that chooses this operation of its words; it fills a field. */
  option?: { name: string; field: string };
  /** Options that fill a field under other names. */
  aliases?: Record<string, string>;
  /** Whether the second word may be left out. */
  isDefault?: boolean;
}

export interface OperationOutcome {
  sections?: Section[];
  /** For the command line, in place of the tables. */
  message?: string;
  /** For the command line when all tables are empty. */
  empty?: string;
  /** For `--json`, in place of the first table's rows. */
  data?: unknown;
  exitCode?: number;
}

export interface Column {
  key: string;
  /** On the command line. */
  title: string;
  kind: CellKind;
  /** `json`: not in tables, `table`: not in `--json`. */
  only: "json" | "table" | undefined;
}

export interface Section {
  name: string;
  columns: Column[];
  rows: Record<string, unknown>[];
  acts: { name: string; fill: Record<string, string>; when?: string | undefined }[];
  next: string | null;
}

/**
 * A table of rows by its columns in words: `key:kind=title`, text and the key unless said otherwise, `_` for a space in a
 * title, `-` before it: only in `--json`, `+`: only in tables.
 */
export function toSection(
  name: string,
  columns: string,
  rows: readonly object[],
  more: { acts?: Section["acts"]; next?: string | null } = {},
): Section {
  const parsed = columns.split(/\s+/).map((column): Column => {
    const [, mark, key = "", kind = "text", title = key] = /^([-+]?)(\w+)(?::(\w+))?(?:=(\S+))?$/.exec(column) ?? [];
    const only = mark === "-" ? "json" : mark === "+" ? "table" : undefined;
    return { key, kind: kind as CellKind, title: title.replaceAll("_", " "), only };
  });
  return { name, columns: parsed, rows: rows as Section["rows"], acts: more.acts ?? [], next: more.next ?? null };
}

/** A page of a list in keyset order, of one row more than its limit. */
export const cutPage = <Row extends { id: string }>(rows: Row[], limit: number) => ({
  rows: rows.slice(0, limit),
  next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
});

type OperationOf<Shape extends z.ZodRawShape> = Pick<Operation, "name" | "summary"> & {
  cli: CommandForm;
  roles?: readonly OperatorRole[];
  fields: Shape;
  /** Rules between fields. */
  refine?(input: z.output<z.ZodObject<Shape>>): string | null;
  run(context: CommandContext, input: z.output<z.ZodObject<Shape>>): Promise<OperationOutcome>;
} & Partial<
    Pick<Operation, "isRead" | "needsReason" | "needsFreshCode" | "needsSecond" | "isLocal" | "notes" | "preview">
  >;

export function defineOperation<Shape extends z.ZodRawShape>({
  fields,
  refine,
  ...row
}: OperationOf<Shape>): Operation {
  const shape = z.object(fields);
  const input = refine
    ? shape.superRefine((given, context) => {
        const fault = refine(given as z.output<z.ZodObject<Shape>>);
        if (fault !== null) context.addIssue({ code: "custom", message: fault });
      })
    : shape;
  const flags = { isRead: false, needsReason: false, needsFreshCode: false, needsSecond: false, isLocal: false };
  return { roles: [], ...flags, ...row, input: input as unknown as z.ZodObject, run: row.run as Operation["run"] };
}

interface FieldMeta {
  kind: FieldKind;
  sample: string;
  choices?: readonly string[];
  /** The console fills in the current text, so that an emptied field is a change. */
  isEdited?: boolean;
}

const field = <T>(name: string, meta: FieldMeta, parse: (text: string, name: string) => T) =>
  z
    .string({ error: `${name} is missing` })
    .transform((text, context): T => {
      try {
        return parse(text, name);
      } catch (error) {
        context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
        return z.NEVER;
      }
    })
    .meta({ ...meta });

/** Fields of inputs. The name is how the command line calls them in its complaints. */
export const fieldOf = {
  text: (name: string, max = 200, { isEdited = false, canBeEmpty = false } = {}) =>
    field(name, { kind: "text", sample: "TEXT", isEdited }, (text) => {
      if (text.length > max) throw new Error(`${name} is longer than ${max} characters`);
      return canBeEmpty ? text.trim() : required(text, name);
    }),
  yuan: (name: string) => field(name, { kind: "yuan", sample: "YUAN" }, parseYuan),
  count: (name: string, max: number) =>
    field(name, { kind: "count", sample: "N" }, (text) => parseCount(text, { name, max })),
  day: (name: string) => field(name, { kind: "day", sample: "YYYY-MM-DD" }, (text) => parseDay(required(text, name))),
  /** The sample names the value in help texts. */
  id: (name: string, what: string, sample = name) =>
    field(name, { kind: "text", sample }, (text) => parseId(text, what)),
  number: (name: string, what: string, sample = name) =>
    field(name, { kind: "text", sample }, (text) => parseNumber(required(text, name), what)),
  choice: <const T extends string>(name: string, choices: readonly T[]) =>
    field(name, { kind: "choice", sample: choices.join("|"), choices }, (text) =>
      parseChoice(choices.find((choice) => choice.toLowerCase() === text.toLowerCase()) ?? text, choices, name),
    ),
  /** Absent or `true`. */
  flag: (name: string) => field(name, { kind: "flag", sample: "" }, (text) => text === "true"),
  account: () => field("whose? --account or --phone", { kind: "text", sample: "ID" }, toAccountSelector),
  role: () => fieldOf.choice("--role", operatorRoles),
};

/** How a field is shown in forms and typed. */
export function describeField(schema: z.ZodType) {
  const isRequired = !(schema instanceof z.ZodOptional);
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  const meta = inner.meta() as FieldMeta | undefined;
  if (!meta) throw new TypeError("a field of no kind");
  return { choices: [], isEdited: false, ...meta, isRequired };
}

/** Paging of every list. */
export const pageFields = (max = 10_000) => ({
  limit: fieldOf.count("--limit", max).optional(),
  after: fieldOf.id("--after", "the id of a row", "ROW").optional(),
});
export const pageSize = 50;
