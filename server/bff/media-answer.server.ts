import { toWebStream } from "../web-stream";
import type { MediaFile } from "./media-file.server";

/** Headers of the answer, put to the file's own: nothing in it may run, and a download gets its name, in UTF-8 too (RFC 5987). */
export function mediaHeaders(file: MediaFile, download: string | null): Headers {
  const { headers } = file;
  headers.set("content-security-policy", "sandbox; default-src 'none'");
  headers.set("x-content-type-options", "nosniff");
  headers.set("content-disposition", download ? attachment(download) : "inline");
  return headers;
}

/** The whole answer for a route of Remix. */
export function mediaAnswer(file: MediaFile | null, download: string | null): Response {
  if (!file) return new Response(null, { status: 204 });
  const body = file.body && toWebStream(file.body);
  return new Response(body, { status: file.status, headers: mediaHeaders(file, download) });
}

function attachment(name: string): string {
  const safe = name.replace(/[\p{Cc}\p{Cs}/\\:*?"<>|]/gu, "_").replace(/^\.+/, "_");
  const clean = [...safe].slice(0, 120).join("");
  const plain = clean.replace(/[^\x20-\x7e]|[%;]/g, "_");
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
