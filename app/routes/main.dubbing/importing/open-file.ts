import { decodeText } from "./decode-text";
import { parseScriptText, type RoughLine } from "./parse-script";
import { looksLikeSubtitles, parseSubtitles } from "./subtitles";

export const openableFiles = ".txt,.srt,.vtt,.docx";
const maxBytes = 20 * 1024 * 1024;

export type Opened =
  | { ok: true; lines: RoughLine[]; title: string }
  | { ok: false; reason: "too-large" | "unreadable" | "empty" | "not-now" };

/** Reads a script file in the browser; nothing of it is sent anywhere. */
export async function openScriptFile(file: File): Promise<Opened> {
  if (file.size > maxBytes) return { ok: false, reason: "too-large" };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const word = isZip(bytes) ? await loadReader() : null;
    if (isZip(bytes) && !word) return { ok: false, reason: "not-now" };
    const text = word ? await readWord(word, bytes) : decodeText(bytes);
    if (text.includes("\0")) return { ok: false, reason: "unreadable" };
    const lines = looksLikeSubtitles(text) ? parseSubtitles(text) : parseScriptText(text);
    const title = file.name.replace(/\.[^.]+$/, "");
    return lines.length > 0 ? { ok: true, lines, title } : { ok: false, reason: "empty" };
  } catch {
    return { ok: false, reason: "unreadable" };
  }
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** null where the network does not bring it. */
const loadReader = () =>
  import("mammoth/mammoth.browser.min.js").then(
    ({ default: mammoth }) => mammoth,
    () => null,
  );

type Reader = NonNullable<Awaited<ReturnType<typeof loadReader>>>;

async function readWord(reader: Reader, bytes: Uint8Array): Promise<string> {
  const { value } = await reader.extractRawText({ arrayBuffer: bytes.slice().buffer });
  return value;
}
