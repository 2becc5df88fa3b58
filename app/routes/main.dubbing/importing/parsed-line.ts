/** A line of a pasted or opened script, before a role is assigned. */
export interface ParsedLine {
  /** The speaker's name as written; null without one. */
  name: string | null;
  /** Without the name. */
  text: string;
  startMs?: number;
  endMs?: number;
}

/** A chapter of a book. */
export interface Chapter {
  title: string;
  lines: ParsedLine[];
}

const nameMax = 12;
/** Names have no punctuation or spaces inside; brackets around a name are accepted. */
const withColon =
  /^\s*(?:[【[「『(（]\s*)?(?<name>[\p{L}\p{N}·•・_-]{1,20}?)\s*(?:[】\]」』)）]\s*)?[：:]\s*(?<text>.*)$/u;
/** Format of `writeScript` in write-script.ts: a name may contain spaces and is as long as a role's. */
const withFullBrackets =
  /^\s*【\s*(?!重读\s*】)(?<name>[^【】，。！？、；：,!?;:\n]{1,20}?)\s*】\s*[：:]?\s*(?<text>\S.*)$/u;
/** [重读] is a mark of the text. */
const withBrackets =
  /^\s*[【[]\s*(?!重读\s*[】\]])(?<name>[\p{L}\p{N}·•・_-]{1,20}?)\s*[】\]]\s*[：:]?\s*(?<text>\S.*)$/u;

const notName = /^(\d+|https?|ftp|mailto|第[\d零〇一二三四五六七八九十百千两]+[章节回集幕场段课页部卷篇条])$/i;

/** Reads `name: text` and `[name] text`. A number, chapter, time, URL or long clause before a colon is not a name. */
export function parseLine(line: string): ParsedLine {
  const full = withFullBrackets.exec(line)?.groups;
  if (full?.name && full.text && /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(full.name))
    return { name: full.name, text: full.text.trim() };
  const found = (withBrackets.exec(line) ?? withColon.exec(line))?.groups;
  const { name = "", text = "" } = found ?? {};
  const isName = found && [...name].length <= nameMax && !notName.test(name);
  const isTime = /^\s*\d{1,2}[：:]\d{2}/.test(line);
  if (!isName || isTime || text.startsWith("//")) return { name: null, text: line.trim() };
  return { name, text: text.trim() };
}
