/** What a person recognises in a foreign upstream's record: `role_id`, a field one level deeper, other names, dates. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A number, also as text; NaN for anything else. */
export const toFigure = (value: unknown): number =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? Number(value) : Number.NaN;

const isThere = (value: unknown) => value !== undefined && value !== null && value !== "";

/** `role_id` as `roleId` and `_id` as `id` too; a name that is there already wins. */
function camelNamed(value: Record<string, unknown>): Record<string, unknown> {
  const snakes = Object.keys(value).filter((name) => name.includes("_"));
  if (snakes.length === 0) return value;
  const named: Record<string, unknown> = { ...value };
  for (const name of snakes) {
    const camel = name.replace(/^_+/, "").replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (!Object.hasOwn(named, camel)) named[camel] = value[name];
  }
  return named;
}

/** Each group is one value under several names: whichever is there is given to all of them. */
export function withAliases(value: Record<string, unknown>, groups: string[][]): Record<string, unknown> {
  const named: Record<string, unknown> = { ...value };
  for (const group of groups) {
    const found = group.find((name) => Object.hasOwn(value, name) && isThere(value[name]));
    if (found) for (const name of group) named[name] = value[found];
  }
  return named;
}

/**
 * Reads a record with its fields under all names of `groups`, and under the first of `renamed`, which costs nothing where
 * it is there. A record in it is read if only that one has any of the names of `groups`.
 */
export function recogniser(groups: string[][], renamed: string[][] = []) {
  const names = groups.flat();
  const hasAny = (record: Record<string, unknown>) => names.some((name) => Object.hasOwn(record, name));
  return (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    const outer = camelNamed(value);
    const record = hasAny(outer) ? outer : (Object.entries(value).flatMap(toInner).find(hasAny) ?? outer);
    return withAliases(record, [...groups, ...renamed.filter(([first = ""]) => !isThere(record[first]))]);
  };
}

const toInner = ([name, one]: [string, unknown]) => (isRecord(one) && name !== "__proto__" ? [camelNamed(one)] : []);

const addressNames = ["url", "fileUrl", "filePath", "path", "src", "href"];

/** The address in a text, in a record such as `{url}`, or in the first of a list. */
export function toAddress(value: unknown): unknown {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(one) ? addressNames.map((name) => one[name]).find(isThere) : one;
}

/** Names of a sound, besides `voiceUrl`; the recording that a record was made from comes last. */
const soundNames = [
  ...["audioUrl", "soundUrl", "resultUrl", "previewUrl", "demoUrl", "sampleUrl", "url", "fileUrl", "audio", "sound"],
  ...["preview", "demo", "sample", "result", "voice", "file", "path", "src", "filePath", "voicePath"],
];
const soundFile = /^(https?:\/|\/|[\w-]+\/)\S*\.(mp3|wav|m4a|aac|ogg|opus|flac)(\?\S*)?$/i;
const otherSound = /emotion|reference|prompt|music/i;
const isAddress = (value: unknown) => typeof value === "string" && /^((https?:\/)?\/\S+|[\w-]+\/\S+\.\w+)$/.test(value);

/** The record with `voiceUrl`, if it has a sound under any name. Our own records have the field, empty or not. */
export function withSound(value: unknown): unknown {
  if (!isRecord(value) || Object.hasOwn(value, "voiceUrl")) return value;
  const named = soundNames.map((name) => toAddress(value[name])).find(isAddress);
  const isSound = ([name, one]: [string, unknown]) =>
    typeof one === "string" && soundFile.test(one) && !otherSound.test(name);
  const voiceUrl = named ?? Object.entries(value).find(isSound)?.[1];
  return voiceUrl === undefined ? value : { ...value, voiceUrl };
}

const statusWords = new Map<unknown, 1 | 2 | 3>([
  ...["success", "succeeded", "done", "finished", "completed", "complete", "ready"].map((word) => [word, 2] as const),
  ...["fail", "failed", "failure", "error"].map((word) => [word, 3] as const),
]);

/** 1 running · 2 done · 3 failed, also in words; undefined if it says neither. */
export function toStatus(value: unknown): 1 | 2 | 3 | undefined {
  const status = toFigure(value);
  if (status === 1 || status === 2 || status === 3) return status;
  return typeof value === "string" ? statusWords.get(value.toLowerCase()) : undefined;
}

const rowNames = ["list", "rows", "records", "items", "data", "result", "results", "content"];
const pagingName = /^(page|pages|pageNum|pageNo|pageSize|size|current|limit|offset)$/;
const deepest = 2;

/** The array in an answer, at most two records deep; none for null or a record that says so. Anything else as it is. */
export function rowsIn(value: unknown, depth = 0): unknown {
  if (!isThere(value)) return [];
  if (!isRecord(value)) return value;
  const known = rowNames.find((name) => Object.hasOwn(value, name));
  const arrays = Object.values(value).filter(Array.isArray);
  if (known === undefined && arrays.length === 1) return arrays[0];
  if (known !== undefined && depth < deepest) return rowsIn(value[known], depth + 1);
  const isSilent = ([name, one]: [string, unknown]) => !isThere(one) || toFigure(one) === 0 || pagingName.test(name);
  return Object.entries(value).every(isSilent) ? [] : value;
}

const totalNames = ["total", "count", "totalCount", "totalElements", "totalNum"];

/** The number of all rows in a list's answer; undefined if it says none. */
export function totalIn(value: unknown, depth = 0): number | undefined {
  if (!isRecord(value)) return undefined;
  const named = camelNamed(value);
  const found = totalNames.map((name) => toFigure(named[name])).find(Number.isFinite);
  if (found !== undefined || depth === deepest) return found;
  const inner = Object.values(value).map((one) => totalIn(one, depth + 1));
  return inner.find((total) => total !== undefined);
}

/** Later values are milliseconds: as seconds this is the year 5138. */
const lastSecond = 1e11;
const dateText =
  /^(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Unix milliseconds of a time in seconds, milliseconds or text, which means Shanghai's without a zone; null for others. */
function toUnixMs(value: unknown): number | null {
  const figure = toFigure(value);
  if (Number.isFinite(figure)) return Math.abs(figure) > lastSecond ? figure : figure * 1000;
  const [, year, month, day, hour = "0", minute = "00", second = "00", zone = "+08:00"] =
    (typeof value === "string" && dateText.exec(value.trim())) || [];
  if (!year || !month || !day) return null;
  const two = (part: string) => part.padStart(2, "0");
  const ms = Date.parse(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}${zone.toUpperCase()}`);
  return Number.isNaN(ms) ? null : ms;
}

/** RFC 3339 in Shanghai; "" for 0, nothing and what is no time. */
export function toMoment(value: unknown): string {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d.*\+08:00$/.test(value)) return value;
  const ms = isThere(value) ? toUnixMs(value) : null;
  return ms && Math.abs(ms) < 8.6e15 ? new Date(ms + 8 * 3_600_000).toISOString().replace(/\.\d+Z$/, "+08:00") : "";
}

/** Unix seconds; 0 for nothing. What is no time stays as it is. */
export function toUnixSeconds(value: unknown): unknown {
  const ms = isThere(value) ? toUnixMs(value) : 0;
  return ms === null ? value : Math.floor(ms / 1000);
}

/** Seconds of a length: 2.5, "2.5", "2.5s", "00:02"; 0 for what says none. */
export function toSeconds(value: unknown): number {
  const parts = typeof value === "string" ? value.replace(/\s*(s|秒)$/i, "").split(":") : [value];
  const seconds = parts.map(toFigure).reduce((sum, part) => sum * 60 + part, 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
