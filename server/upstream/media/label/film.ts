import { AppError } from "../../errors";
import { type AigcLabel, type ByteSource, formatLabel, type LabelPieces, parseLabel } from "./content";
import { findMp4Labels } from "./mp4";
import { findWebmLabels } from "./webm";

/**
 * The value that a muxer writes: a label replaces it without moving a byte, padded with spaces, which JSON permits. It is
 * no label itself, so that an unlabelled film is never served.
 */
export const filmLabelRoom = "-".repeat(1024);

const finders = { mp4: findMp4Labels, webm: findWebmLabels };
export type FilmFormat = keyof typeof finders;

/** Muxers write metadata in front of the pictures. */
const maxBeforeBytes = 16 * 1024 * 1024;

/** Throws for a film without exactly one place for a label. */
export async function filmLabelOf(source: ByteSource, format: FilmFormat, label: AigcLabel): Promise<LabelPieces> {
  const [place, second] = await finders[format](source);
  const text = formatLabel(label);
  if (!place || second || place.text.length < text.length || place.at > maxBeforeBytes)
    throw new AppError("failure", `a film with no room for its label (${format})`, { status: 500 });
  const from = place.at + place.text.length;
  const before = Buffer.from(await source.read(0, from - 1));
  before.write(text.padEnd(place.text.length), place.at, "latin1");
  return { before, from, after: new Uint8Array(0) };
}

/** All labels of a film, "damaged" for an unreadable one. */
export async function readFilmLabels(source: ByteSource, format: FilmFormat): Promise<Array<AigcLabel | "damaged">> {
  return (await finders[format](source)).map(({ text }) => parseLabel(text));
}
