import { AppError } from "../../errors";
import { type AigcLabel, type ByteSource, formatLabel, type LabelPieces, parseLabel } from "./content";
import { findFlacLabels } from "./flac";
import { findMp4Labels } from "./mp4";
import { findWebmLabels } from "./webm";

/**
 * The value that a muxer writes: a label replaces it without moving a byte, padded with spaces, which JSON permits. It is
 * no label itself, so that an unlabelled file is never served.
 */
export const labelRoom = "-".repeat(1024);

/** M4A is MP4 without pictures, M4B is M4A with chapters. */
const finders = {
  mp4: findMp4Labels,
  m4a: findMp4Labels,
  m4b: findMp4Labels,
  webm: findWebmLabels,
  flac: findFlacLabels,
};
export type ContainerFormat = keyof typeof finders;

/** Muxers write metadata in front of pictures and sound. */
const maxBeforeBytes = 16 * 1024 * 1024;

/** Throws for a file without exactly one place for a label. */
export async function containerLabelOf(
  source: ByteSource,
  format: ContainerFormat,
  label: AigcLabel,
): Promise<LabelPieces> {
  const [place, second] = await finders[format](source);
  const text = formatLabel(label);
  if (!place || second || place.text.length < text.length || place.at > maxBeforeBytes)
    throw new AppError("failure", `a file with no room for its label (${format})`, { status: 500 });
  const from = place.at + place.text.length;
  const before = Buffer.from(await source.read(0, from - 1));
  before.write(text.padEnd(place.text.length), place.at, "latin1");
  return { before, from, after: new Uint8Array(0) };
}

/** All labels of a file, "damaged" for an unreadable one. */
export async function readContainerLabels(
  source: ByteSource,
  format: ContainerFormat,
): Promise<Array<AigcLabel | "damaged">> {
  return (await finders[format](source)).map(({ text }) => parseLabel(text));
}
