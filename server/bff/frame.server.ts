import { readFile } from "node:fs/promises";
import { fileTypeFromBuffer } from "file-type";
import { renderSVG } from "uqr";

const keptSeconds = 300;
const pictures = new Set(["image/png", "image/jpeg", "image/webp"]);

/** The operator's picture, or a drawn code; a picture that cannot be read gives null. */
export async function contactQr(contact: { qrText: string; qrImage: string | null }, siteUrl: string) {
  const headers = (type: string) => ({ "content-type": type, "cache-control": `public, max-age=${keptSeconds}` });
  if (!contact.qrImage) {
    // Nothing said: it leads to the site itself, so that one can go on with a phone.
    const drawing = renderSVG(contact.qrText || siteUrl, { border: 0 });
    return new Response(drawing, { headers: headers("image/svg+xml") });
  }
  const picture = await readFile(contact.qrImage).catch(() => null);
  const type = picture && (await fileTypeFromBuffer(picture))?.mime;
  if (!picture || !type || !pictures.has(type)) return null;
  return new Response(new Uint8Array(picture), { headers: headers(type) });
}
