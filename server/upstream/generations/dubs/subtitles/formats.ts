import type { Cue } from "./cues";

const pad = (value: number, length = 2) => String(value).padStart(length, "0");

function clock(ms: number, comma: "," | "."): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${parts.map((part) => pad(part)).join(":")}${comma}${pad(ms % 1000, 3)}`;
}

/** Replaces the arrow that separates two times. */
const withoutArrow = (text: string) => text.replaceAll("-->", "\u2192");

function formatSrt(cues: Cue[]): string {
  const block = ({ start, end, text }: Cue, index: number) =>
    `${index + 1}\n${clock(start, ",")} --> ${clock(end, ",")}\n${withoutArrow(text)}\n`;
  return cues.map(block).join("\n");
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeVtt = (text: string) => text.replace(/[&<>]/g, (char) => escapes[char] ?? char);

/** With the speaker's name if it is known. */
function formatVtt(cues: Cue[]): string {
  const shown = ({ name, text }: Cue) => (name ? `<v ${escapeVtt(name)}>${escapeVtt(text)}` : escapeVtt(text));
  const block = (cue: Cue) => `${clock(cue.start, ".")} --> ${clock(cue.end, ".")}\n${shown(cue)}\n`;
  return `WEBVTT\n\n${cues.map(block).join("\n")}`;
}

/** In hundredths of seconds; an empty line clears the display before a longer pause. */
function formatLrc(cues: Cue[], title: string): string {
  const stamp = (ms: number) => {
    const hundredths = Math.round(ms / 10);
    return `[${pad(Math.floor(hundredths / 6000))}:${pad(Math.floor(hundredths / 100) % 60)}.${pad(hundredths % 100)}]`;
  };
  const rows = cues.flatMap((cue, index) => {
    const next = cues[index + 1];
    const row = `${stamp(cue.start)}${cue.text}`;
    return next && next.start - cue.end < longPauseMs ? [row] : [row, stamp(cue.end)];
  });
  const header = title ? [`[ti:${title.replace(/[\]\r\n]/g, " ")}]`] : [];
  return `${[...header, ...rows].join("\n")}\n`;
}
const longPauseMs = 2000;

/** A further subtitle format is one more row. */
export const subtitleFormats = {
  srt: { mime: "application/x-subrip", write: formatSrt },
  vtt: { mime: "text/vtt", write: formatVtt },
  lrc: { mime: "text/plain", write: formatLrc },
} satisfies Record<string, { mime: string; write(cues: Cue[], title: string): string }>;

export const isSubtitleFormat = (format: string): format is keyof typeof subtitleFormats => format in subtitleFormats;
