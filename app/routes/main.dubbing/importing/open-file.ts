import { type ParsedLine, parseScript } from "./parse-script";

export const acceptedFiles = ".txt,.srt,.vtt,.docx";
const maxBytes = 20 * 1024 * 1024;

export type OpenedFile =
  | { ok: true; lines: ParsedLine[]; title: string }
  | { ok: false; reason: "too-large" | "unreadable" | "empty" | "not-now" };

/** Reads a script file in the browser, without an upload. `not-now`: the Word reader could not be downloaded. */
export async function openScriptFile(file: File): Promise<OpenedFile> {
  if (file.size > maxBytes) return { ok: false, reason: "too-large" };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const reader = isZip(bytes) ? await loadWordReader() : null;
    if (isZip(bytes) && !reader) return { ok: false, reason: "not-now" };
    const text = reader
      ? (await reader.extractRawText({ arrayBuffer: bytes.slice().buffer })).value
      : decodeText(bytes);
    if (text.includes("\0")) return { ok: false, reason: "unreadable" };
    const lines = parseScript(text);
    const title = file.name.replace(/\.[^.]+$/, "");
    return lines.length > 0 ? { ok: true, lines, title } : { ok: false, reason: "empty" };
  } catch {
    return { ok: false, reason: "unreadable" };
  }
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

const loadWordReader = () =>
  import("mammoth/mammoth.browser.min.js").then(
    ({ default: mammoth }) => mammoth,
    () => null,
  );

/** UTF-8, UTF-16 with a byte order mark, else GB 18030, the encoding of older Chinese Windows programs. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}
