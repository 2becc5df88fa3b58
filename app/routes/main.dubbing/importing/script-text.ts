import { isBlank, type Script } from "../editor/script";
import { type ParsedLine, parseLine } from "./parsed-line";
import { isSubtitles, parseSubtitles } from "./subtitles";

export const toRows = (text: string) => text.replace(/^\uFEFF/, "").split(/\r\n|[\n\r]/);

/** Reads pasted SRT, WebVTT or plain text, whichever the text is. */
export function parseScript(text: string): ParsedLine[] {
  const rows = toRows(text);
  return isSubtitles(rows) ? parseSubtitles(rows) : parsePlainText(text.replace(musicRow, ""));
}

/** Format of `writeScript` below; in WebVTT a note, which other programs ignore. */
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
    if (line.text !== "") lines.push(pending ? { ...line, name: pending.name } : line);
    pending = null;
  }
  addPending();
  return lines;
}

interface WrittenScript {
  text: string;
  extension: "txt" | "vtt";
}

/**
 * The script as text that an import reads again with the same roles, marks, subtitle times and music: WebVTT if every line has
 * times, else one `【role】：text` per row.
 */
export function writeScript(
  { lines, music }: Pick<Script, "lines" | "music">,
  nameOf: (roleId: string) => string,
): WrittenScript {
  const score = music ? `[music] ${JSON.stringify(music)}` : "";
  const written = lines.filter((line) => !isBlank(line));
  const isTimed =
    written.length > 0 && written.every(({ startMs, endMs }) => startMs !== undefined && endMs !== undefined);
  if (!isTimed) {
    const rows = written.map(({ roleId, content }) => `【${nameOf(roleId)}】：${toRow(content)}`);
    return { text: `${[...(score ? [score] : []), ...rows].join("\n")}\n`, extension: "txt" };
  }
  const cues = written.map(
    ({ roleId, content, startMs = 0, endMs = 0 }) =>
      `${toStamp(startMs)} --> ${toStamp(endMs)}\n<v ${escapeVtt(nameOf(roleId))}>${escapeVtt(toRow(content))}\n`,
  );
  return { text: `WEBVTT\n\n${score && `NOTE ${score}\n\n`}${cues.join("\n")}`, extension: "vtt" };
}

const toRow = (content: string) => content.replace(/\s+/g, " ").trim();
const escapeVtt = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function toStamp(ms: number): string {
  const two = (value: number, length = 2) => String(Math.floor(value)).padStart(length, "0");
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${two(ms % 1000, 3)}`;
}

/** Lets the browser save a text as a file. */
export function saveText(text: string, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
