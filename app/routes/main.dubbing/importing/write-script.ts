import { isBlank, type Script } from "../editor/script";

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
