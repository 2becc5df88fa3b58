import { z } from "zod/v4";
import { pageSizeDefault, pageSizeMax } from "../limits";

/**
 * Readers of a foreign upstream's JSON: numbers may come as strings, optionals as null, names as their aliases.
 * What they hand on is exact, and the OpenAPI document shows the exact form alone.
 */

const toNumber = (value: unknown) =>
  typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
const toText = (value: unknown) => (typeof value === "number" || typeof value === "bigint" ? String(value) : value);
const nullToUndefined = (value: unknown) => (value === null ? undefined : value);
const blankToUndefined = (value: unknown) => (value === "" ? undefined : nullToUndefined(value));

const truths = new Map<unknown, boolean>([
  [1, true],
  ["1", true],
  ["true", true],
  [0, false],
  ["0", false],
  ["false", false],
  ["", false],
]);

/** An opaque identifier; never empty. */
export const id = () => z.preprocess(toText, z.string().min(1).max(200));
/** Agreement to a statement; see server/contract/consent.ts. */
export const consent = () => z.object({ statementId: id() });
export const idList = () => z.array(id()).min(1).max(100);
/** Text that may be missing: "" then. */
export const text = () => z.preprocess((value) => toText(value) ?? "", z.string());
export const number = () => z.preprocess(toNumber, z.number());
/** A number that may be missing. */
export const numberOr = (fallback: number) =>
  z.preprocess((value) => toNumber(blankToUndefined(value)) ?? fallback, z.number());
export const flag = () => z.preprocess((value) => truths.get(value) ?? value ?? false, z.boolean());
export const tagList = () =>
  z.preprocess(
    (value) => (typeof value === "string" ? value.split(/[,\uff0c]/).filter(Boolean) : (value ?? [])),
    z.array(z.string()),
  );

/** Control characters, direction overrides and zero-width marks: in a name they reorder or fake the text of a page. */
const hidden = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
/** One line that pages show, such as a name; hidden characters are removed, line breaks read as spaces. */
export const shownName = ({ min = 0, max }: { min?: number; max: number }) =>
  z.preprocess(
    (value) => (typeof value === "string" ? value.replace(/\s+/g, " ").replace(hidden, "") : value),
    z.string().trim().min(min).max(max),
  );

/** null and "" read as missing. */
export const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankToUndefined, schema.optional());
/** Whatever does not fit reads as null, for what the page can do without. */
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Each group is one value under several names: whichever is there is given to all of them. */
export function aliased<T extends z.ZodType>(groups: string[][], schema: T) {
  return z.preprocess((value) => {
    if (!isRecord(value)) return value;
    const named: Record<string, unknown> = { ...value };
    for (const group of groups) {
      const found = group.find((name) => Object.hasOwn(value, name) && value[name] !== null && value[name] !== "");
      if (found) for (const name of group) named[name] = value[found];
    }
    return named;
  }, schema);
}

/** Names under which a list's rows are known to come. */
const rowNames = ["list", "rows", "records", "items"];

/** The array in an answer: bare, or inside a record under one of `rowNames`; none for null. Anything else stays as it is. */
function rowsIn(value: unknown): unknown {
  if (value === null || value === undefined || value === "") return [];
  if (!isRecord(value)) return value;
  const name = rowNames.find((one) => Object.hasOwn(value, one));
  return name ? (value[name] ?? []) : value;
}

/** `{list, total, page, pageSize}`, the same with `rows` or `records`, a bare array, or null. Rows the page cannot work with are left out. */
export function listOf<T extends z.ZodType>(item: T) {
  const whole = z.object({
    list: rowsOf(item),
    total: number(),
    page: numberOr(1),
    pageSize: numberOr(pageSizeDefault),
  });
  return z.preprocess((value) => {
    const found = rowsIn(value);
    const list = Array.isArray(found) || !isRecord(found) || rowNames.some((name) => name in found) ? found : [];
    const length = Array.isArray(list) ? list.length : 0;
    if (!isRecord(value)) return { list, total: length, page: 1, pageSize: length };
    return { ...value, list, total: value.total ?? value.count ?? length };
  }, whole);
}

/** An array, or the one inside a list's record; none for null. Rows that do not fit are left out. */
export function rowsOf<T extends z.ZodType>(item: T) {
  const rows = z
    .array(item.catch(() => misfit as z.output<T>))
    .overwrite((read) => read.filter((row) => row !== misfit));
  return z.preprocess(rowsIn, rows);
}

const misfit: unknown = Symbol("misfit");

export const pageQuery = {
  page: z.preprocess((value) => toNumber(blankToUndefined(value)) ?? 1, z.number().int().min(1)),
  pageSize: z.preprocess(
    (value) => toNumber(blankToUndefined(value)) ?? pageSizeDefault,
    z.number().int().min(1).max(pageSizeMax),
  ),
};

/** 1 running · 2 done · 3 failed; `otherwise` for anything else. */
export const taskStatus = (otherwise: 1 | 2 = 1) =>
  z.preprocess(
    (value) => {
      const status = toNumber(value);
      return status === 1 || status === 2 || status === 3 ? status : otherwise;
    },
    z.union([z.literal(1), z.literal(2), z.literal(3)]),
  );

/** Names of a record's sound file if there is no `voiceUrl`. */
const fileNames = ["url", "audioUrl", "filePath", "voicePath"];

/** Fills `voiceUrl` from the file's other names, and reads a record that has a file and has not failed as done. */
export function spokenRecord<T extends z.ZodType>(groups: string[][], schema: T) {
  return z.preprocess(
    (value) => {
      if (!isRecord(value)) return value;
      const other = Object.hasOwn(value, "voiceUrl") ? undefined : fileNames.find((name) => value[name]);
      const named = other ? { ...value, voiceUrl: value[other] } : value;
      return named.voiceUrl && toNumber(named.status) !== 3 ? { ...named, status: 2 } : named;
    },
    aliased(groups, schema),
  );
}

/**
 * Answer of a call that created something: the record, or null if an upstream says nothing about it (`null`, `true`,
 * a record without any of the names of `id`). A bare string or number is the new record's id.
 */
export function createdRecord<T extends z.ZodType>(names: string[], schema: T) {
  return z.preprocess((value) => toCreated(value, names), schema.nullable());
}

/** The record in a create call's answer, null if there is none; see `createdRecord`. */
export function toCreated(value: unknown, names: string[]): unknown {
  const [name = "id"] = names;
  if (typeof value === "number" || (typeof value === "string" && value !== "")) return { [name]: value };
  if (value === undefined || value === true || value === "") return null;
  return isRecord(value) && !names.some((one) => Object.hasOwn(value, one)) ? null : value;
}

/** Reads a bare value as the one field of a record; null, true and undefined as an empty record. */
export const inField = (name: string) => (value: unknown) => {
  if (typeof value === "string" || typeof value === "number") return { [name]: value };
  return value === null || value === undefined || value === true ? {} : value;
};

/** Progress fields of a running task. */
export const taskProgress = {
  status: taskStatus(),
  progress: z.preprocess(
    (value) => Math.min(1, Math.max(0, Number(toNumber(value ?? 0)) || 0)),
    z.number().min(0).max(1),
  ),
  segDone: numberOr(0),
  segTotal: numberOr(0),
  /** Tasks before this one; 0 when it runs. */
  queuePos: numberOr(0),
  msg: text(),
};

/**
 * GET /capabilities, ours: what an upstream offers beyond the specification. One that does not answer it keeps the
 * specification alone: the site then calls none of the extensions and says nothing about the engine or the label.
 */
export const capabilities = z.object({
  /** Names of the extension calls it answers, as in the table of calls. */
  calls: z.array(z.string()).max(200),
  /** Speaks cloned voices: "embedded" (built in), "kokoro" (near to the person) or another; "" if it is not said. */
  engine: text(),
  /** Every sound file carries the AI-content label. */
  isLabelled: flag(),
  /** Companies that recordings are sent to, with their speakers' consent: "dashscope", "minimax-abroad". */
  vendors: z.array(z.string().max(40)).max(20).catch([]),
});
export type Capabilities = z.output<typeof capabilities>;

/**
 * Every answer of /api/v1 but a file's bytes. Beside a code other than 0, `data.reason` is an ErrorCode, or with code 1001
 * `quota` | `trial` | `tier`, with `need`, `left` and `limit` where they say something. `code` may come as a numeric
 * string, `msg` as `message`.
 */
export const envelope = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && !("msg" in value) && "message" in value
      ? { ...value, msg: value.message }
      : value,
  z.object({
    code: z.preprocess(
      (value) => (typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
      z.number().int(),
    ),
    data: z.unknown(),
    msg: text(),
  }),
);
