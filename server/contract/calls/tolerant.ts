import { z } from "zod/v4";
import { pageSizeDefault, pageSizeMax } from "../limits";
import {
  isRecord,
  recogniser,
  rowsIn,
  toAddress,
  toMoment,
  toSeconds,
  toStatus,
  totalIn,
  toUnixSeconds,
  withAliases,
  withSound,
} from "./foreign";

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
/** The same for a field of ours in an answer: what another upstream means by its name reads as missing too. */
export const extra = <T extends z.ZodType>(schema: T) => optional(schema).catch(undefined);
/** Whatever does not fit reads as null, for what the page can do without. */
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null);

/** Each group is one value under several names: whichever is there is given to all of them. For requests. */
export const aliased = <T extends z.ZodType>(groups: string[][], schema: T) =>
  z.preprocess((value) => (isRecord(value) ? withAliases(value, groups) : value), schema);

/** The same for answers, whose fields may stand under other names or one level deeper. */
export const answered = <T extends z.ZodType>(groups: string[][], schema: T) =>
  z.preprocess(recogniser(groups), schema);

/** The address of a file; "" without one. */
export const address = () => z.preprocess((value) => toAddress(value) ?? "", z.string());
/** RFC 3339; "" where no time is known. */
export const moment = () => z.preprocess(toMoment, z.string());
/** Unix seconds; 0 without. */
export const unixSeconds = () => z.preprocess(toUnixSeconds, z.number());
/** A length in seconds; 0 if it is unknown. */
export const lengthSeconds = () => z.preprocess(toSeconds, z.number());
export const avatarNames = [
  ...["avatar", "avatarUrl", "cover", "coverUrl", "image", "imageUrl", "picture", "photo"],
  ...["headImg", "headimg", "logo"],
];
/** Names of the time that a record was made. */
export const createdNames = ["createdAt", "createTime", "createdTime", "gmtCreate", "created", "createAt", "addTime"];

/** `total` of a list whose upstream does not count. */
export const uncounted = -1;

/** `{list, total, page, pageSize}`, the same under other names, a bare array, or null; see `listRows`. */
export function listOf<T extends z.ZodType>(item: T) {
  const whole = z.object({
    list: listRows(item),
    total: number(),
    page: numberOr(1).catch(1),
    pageSize: numberOr(pageSizeDefault).catch(pageSizeDefault),
  });
  return z.preprocess((value) => {
    const list = rowsIn(value);
    const counted = totalIn(value);
    const total = counted ?? (Array.isArray(list) && list.length === 0 ? 0 : uncounted);
    return isRecord(value) ? { ...value, list, total } : { list, total, page: 1, pageSize: pageSizeDefault };
  }, whole);
}

class Misfit {
  constructor(readonly issues: z.core.$ZodIssue[]) {}
}
const isMisfit = (row: unknown) => row instanceof Misfit;
/** Undefined for the OpenAPI document, which asks without an error. */
const toMisfit = (caught?: z.core.$ZodCatchCtx) => caught && new Misfit(caught.error.issues);

/** An array, or the one inside a list's record; none for null. Rows that do not fit are left out. */
export function rowsOf<T extends z.ZodType>(item: T, isRefusedWhole = false) {
  const rows = z
    .array(item.catch((caught) => toMisfit(caught) as z.output<T>))
    .check(({ value: [first, ...others], issues }) => {
      if (isRefusedWhole && first instanceof Misfit && others.every(isMisfit))
        for (const { path, message } of first.issues)
          issues.push({ code: "custom", path: [0, ...path], message, input: undefined });
    })
    .overwrite((read) => read.filter((row) => !isMisfit(row)));
  return z.preprocess((value) => rowsIn(value), rows);
}

/** The same, but refused if no row fits: that list cannot be read, and is not an empty one. */
export const listRows = <T extends z.ZodType>(item: T) => rowsOf(item, true);

export const pageQuery = {
  page: z.preprocess((value) => toNumber(blankToUndefined(value)) ?? 1, z.number().int().min(1)),
  pageSize: z.preprocess(
    (value) => toNumber(blankToUndefined(value)) ?? pageSizeDefault,
    z.number().int().min(1).max(pageSizeMax),
  ),
};

/** 1 running · 2 done · 3 failed; `otherwise` for anything else. */
export const taskStatus = (otherwise: 1 | 2 = 1) =>
  z.preprocess((value) => toStatus(value) ?? otherwise, z.union([z.literal(1), z.literal(2), z.literal(3)]));

/** A record of speech: with a sound it is done unless it failed, and one that says it is done without a sound is unreadable. */
export function spokenRecord<T extends z.ZodType>(groups: string[][], schema: T, renamed: string[][] = []) {
  const recognise = recogniser(groups, renamed);
  return z.preprocess((value) => {
    const record = withSound(recognise(value));
    if (!isRecord(record)) return record;
    const status = toStatus(record.status);
    if (status === 2 && !Object.hasOwn(record, "voiceUrl"))
      return { ...record, status: 3, reason: "unreadable", msg: "" };
    return record.voiceUrl && status !== 3 ? { ...record, status: 2 } : record;
  }, schema);
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
  const record = recogniser([names])(value);
  if (!isRecord(record)) return record;
  if (!names.some((one) => Object.hasOwn(record, one))) return null;
  // Without a sound "done" is said of the call.
  return Object.hasOwn(withSound(record) as object, "voiceUrl") ? record : { ...record, status: undefined };
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
