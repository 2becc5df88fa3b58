import {
  type AigcLabel,
  type ByteSource,
  formatLabel,
  type LabelPieces,
  latin1,
  maxLabelBytes,
  parseLabel,
  sourceOf,
  viewOf,
} from "./content";

const description = "AIGC";
const headerBytes = 10;
/** Larger tags (with pictures) are skipped: a tag of this product is small. */
const maxTagBytes = 1024 * 1024;
const maxTags = 16;

interface Tag {
  at: number;
  version: number;
  flags: number;
  bodyAt: number;
  size: number;
  end: number;
}

/**
 * Replaces all leading ID3v2 tags by one ID3v2.3 tag with this label. Players support version 3 everywhere, and ASCII is
 * encoded as in version 4.
 */
export async function labelMp3(bytes: Uint8Array, label: AigcLabel): Promise<Uint8Array> {
  const { before, from } = await mp3LabelOf(sourceOf(bytes), label);
  return Buffer.concat([before, bytes.subarray(from)]);
}

/** The same without reading the whole file. */
export async function mp3LabelOf(source: ByteSource, label: AigcLabel): Promise<LabelPieces> {
  const tags = await listTags(source);
  // Encoding 0 (Latin-1), then description and value, separated by a zero byte.
  const body = Buffer.from(`\0${description}\0${formatLabel(label)}`, "latin1");
  const frame = Buffer.alloc(headerBytes);
  frame.write("TXXX");
  frame.writeUInt32BE(body.length, 4);
  const header = Buffer.from("ID3\x03\0\0\0\0\0\0", "latin1");
  writeSyncSafe(header, 6, frame.length + body.length);
  const from = Math.min(source.size, tags.at(-1)?.end ?? 0);
  return { before: Buffer.concat([header, frame, body]), from, after: new Uint8Array(0) };
}

export async function readMp3Labels(source: ByteSource): Promise<Array<AigcLabel | "damaged">> {
  const labels: Array<AigcLabel | "damaged"> = [];
  for (const tag of await listTags(source)) {
    if (tag.size > maxTagBytes) continue;
    labels.push(...labelsOf(await source.read(tag.bodyAt, tag.bodyAt + tag.size - 1), tag));
  }
  return labels;
}

async function listTags(source: ByteSource): Promise<Tag[]> {
  const tags: Tag[] = [];
  let at = 0;
  while (at + headerBytes <= source.size && tags.length < maxTags) {
    const header = await source.read(at, at + headerBytes - 1);
    if (latin1(header.subarray(0, 3)) !== "ID3") break;
    const flags = header[5] as number;
    const size = syncSafe(header, 6);
    const bodyAt = at + headerBytes;
    const end = bodyAt + size + ((flags & 0x10) !== 0 ? headerBytes : 0);
    tags.push({ at, version: header[3] as number, flags, bodyAt, size, end });
    at = end;
  }
  return tags;
}

function labelsOf(body: Uint8Array, { version, flags }: Tag): Array<AigcLabel | "damaged"> {
  const labels: Array<AigcLabel | "damaged"> = [];
  const hasExtras = (flags & 0xc0) !== 0;
  // This product writes no unsynchronised or extended tags; a label in such a tag counts as damaged.
  if (hasExtras || version < 3) return latin1(body).includes(`\0${description}\0`) ? ["damaged"] : [];
  let at = 0;
  while (at + headerBytes <= body.length && body[at] !== 0) {
    const size = version === 4 ? syncSafe(body, at + 4) : viewOf(body).getUint32(at + 4);
    const end = at + headerBytes + size;
    const text = latin1(body.subarray(at + headerBytes, Math.min(end, body.length)));
    const isOurs = latin1(body.subarray(at, at + 4)) === "TXXX" && text.slice(1).startsWith(`${description}\0`);
    if (isOurs) labels.push(end > body.length ? "damaged" : labelOf(text));
    at = end;
  }
  return labels;
}

function labelOf(text: string): AigcLabel | "damaged" {
  const [encoding] = text;
  const value = text.slice(description.length + 2).replace(/\0$/, "");
  return (encoding === "\0" || encoding === "\x03") && value.length <= maxLabelBytes ? parseLabel(value) : "damaged";
}

/** ID3 sizes have seven bits per byte. */
function syncSafe(bytes: Uint8Array, at: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum * 128 + ((bytes[at + i] ?? 0) & 0x7f), 0);
}

function writeSyncSafe(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i++) bytes[at + i] = (value >>> (7 * (3 - i))) & 0x7f;
}
