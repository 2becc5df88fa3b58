import { type ByteSource, type LabelPlace, labelEntryName, latin1, viewOf } from "./content";

const commentBlock = 4;
/** The metadata of our own files has 1.2 kB; pictures in foreign ones are passed over unread. */
const maxCommentBytes = 1024 * 1024;
const maxBlocks = 128;

/** The values of the Vorbis comments `AIGC` of a FLAC file (RFC 9639, section 8.6). */
export async function findFlacLabels(source: ByteSource): Promise<LabelPlace[]> {
  const places: LabelPlace[] = [];
  let at = 4;
  for (let count = 0; count < maxBlocks; count++) {
    const head = await source.read(at, at + 3);
    if (head.length < 4) break;
    const [start, size] = [at + 4, viewOf(head).getUint32(0) & 0xffffff];
    if (((head[0] as number) & 0x7f) === commentBlock && size <= maxCommentBytes) {
      const bytes = await source.read(start, start + size - 1);
      places.push(...labelsOfComments(bytes).map((place) => ({ ...place, at: place.at + start })));
    }
    if (((head[0] as number) & 0x80) !== 0) break;
    at = start + size;
  }
  return places;
}

/** Vendor, number of comments, and the comments `NAME=value`; every length has four bytes, the lowest first. */
function labelsOfComments(bytes: Uint8Array): LabelPlace[] {
  const view = viewOf(bytes);
  const places: LabelPlace[] = [];
  const lengthAt = (at: number) => (at + 4 <= bytes.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY);
  const comments = 4 + lengthAt(0);
  const count = lengthAt(comments);
  let at = comments + 4;
  for (let i = 0; i < count && at + 4 <= bytes.length; i++) {
    const [start, end] = [at + 4, at + 4 + lengthAt(at)];
    const text = latin1(bytes.subarray(start, Math.min(end, bytes.length)));
    const name = `${labelEntryName}=`;
    // Names of comments are compared without regard to case.
    if (text.slice(0, name.length).toUpperCase() === name)
      places.push({ at: start + name.length, text: text.slice(name.length) });
    at = end;
  }
  return places;
}
