import { musicRanges, musicTracks } from "~server/contract/music";
import type { ScriptMusic } from "../editor/script";
import { hasBrokenEvent, isAss, isLrc, parseAss, parseLrc } from "./lyrics-and-ass";
import { type ParsedLine, parseLine } from "./parsed-line";
import { hasBrokenTiming, isSubtitles, parseSubtitles } from "./subtitles";

const toRows = (text: string) => text.replace(/^\uFEFF/, "").split(/\r\n|[\n\r]/);

/** Reads SRT, WebVTT, ASS, LRC or plain text, whichever the text is. */
export function parseScript(text: string): ParsedLine[] {
  const rows = toRows(text);
  if (isAss(rows)) return parseAss(rows);
  if (isSubtitles(rows)) return parseSubtitles(rows);
  return isLrc(rows) ? parseLrc(rows) : parsePlainText(text.replace(musicRow, ""));
}

/** The first row whose times cannot be read: its cue would be spoken with the one before it, numbers and all. */
export function findBrokenRow(text: string): { number: number; row: string } | null {
  const rows = toRows(text);
  const isBroken = isAss(rows) ? hasBrokenEvent : hasBrokenTiming;
  const index = rows.findIndex(isBroken);
  return index < 0 ? null : { number: index + 1, row: rows[index]?.trim() ?? "" };
}

/** Format of `writeScript` in write-script.ts; in WebVTT a note, which other programs ignore. */
const musicRow = /^\uFEFF?(?:NOTE )?\[music\] (\{.*\})\r?$/m;

/** The music of an exported script. */
export function parseMusic(text: string): ScriptMusic | undefined {
  try {
    const stored = JSON.parse(musicRow.exec(text)?.[1] ?? "");
    const track = musicTracks.find((one) => one === stored.track);
    if (!track || (track === "own" && typeof stored.musicPath !== "string")) return undefined;
    const settingOf = ([name, { min, max, preset }]: [string, { min: number; max: number; preset: number }]) =>
      [name, Math.min(max, Math.max(min, Number(stored[name] ?? preset) || 0))] as const;
    const settings = Object.fromEntries(Object.entries(musicRanges).map(settingOf)) as Record<
      keyof typeof musicRanges,
      number
    >;
    if (track !== "own") return { track, ...settings };
    return { track, ...settings, musicPath: stored.musicPath, name: String(stored.name ?? "").slice(0, 100) };
  } catch {
    return undefined;
  }
}

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
