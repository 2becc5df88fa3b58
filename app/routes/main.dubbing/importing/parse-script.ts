import { type ParsedLine, parseLine } from "./parsed-line";
import { isSubtitles, parseSubtitles } from "./subtitles";

export const toRows = (text: string) => text.replace(/^\uFEFF/, "").split(/\r\n|[\n\r]/);

/** Reads pasted SRT, WebVTT or plain text, whichever the text is. */
export function parseScript(text: string): ParsedLine[] {
  const rows = toRows(text);
  return isSubtitles(rows) ? parseSubtitles(rows) : parsePlainText(text.replace(musicRow, ""));
}

/** Format of `writeScript` in write-script.ts; in WebVTT a note, which other programs ignore. */
export const musicRow = /^\uFEFF?(?:NOTE )?\[music\] (\{.*\})\r?$/m;

/** One line per row, without blank rows. A name alone in its row speaks the next row. */
function parsePlainText(text: string): ParsedLine[] {
  const lines: ParsedLine[] = [];
  let pending: { name: string; raw: string } | null = null;
  /** A name without a text after it is a text. */
  const addPending = () => {
    if (pending) lines.push({ name: null, text: pending.raw });
    pending = null;
  };
  for (const raw of text.split(/\r\n|[\n\r\u2028\u2029\v\f]/)) {
    if (raw.trim() === "") continue;
    const line = parseLine(raw);
    if (line.name !== null) addPending();
    if (line.name !== null && line.text === "") {
      pending = { name: line.name, raw: raw.trim() };
      continue;
    }
    lines.push(pending ? { ...line, name: pending.name } : line);
    pending = null;
  }
  addPending();
  return lines;
}
