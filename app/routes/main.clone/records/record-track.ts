import { toDownloads } from "~/features/player/downloads";
import type { Track } from "~/features/player/provider";
import { paths } from "~/paths";
import type { CloneRecord } from "~server/bff/generations.server";
import { parseMarks } from "~server/contract/marks";

const fileNameTextLength = 10;
const labelLength = 12;

/** The text without marks. */
export const plainText = (content: string) =>
  parseMarks(content)
    .map((mark) => (mark.kind === "text" ? mark.text : mark.kind === "reading" ? mark.char : ""))
    .join("");

/** The beginning of the text, for accessible names. */
export const labelOf = ({ content }: CloneRecord) => [...plainText(content)].slice(0, labelLength).join("");

/** Voice, beginning of the text and time, joined by hyphens. */
export function fileName(
  { name, content, createdAt }: Pick<CloneRecord, "name" | "content" | "createdAt">,
  extension: string,
) {
  const text = [...plainText(content).replace(/[\s\p{P}]/gu, "")].slice(0, fileNameTextLength).join("");
  const time = createdAt.slice(0, 16).replace(/[-:]/g, "").replace("T", "-");
  return `${[name, text, time].filter(Boolean).join("-")}.${extension}`;
}

/** A record as a player track with downloads. */
export function toTrack(record: CloneRecord) {
  const { voiceUrl, timelineUrl, name, content } = record;
  return {
    url: paths.media(voiceUrl),
    title: name,
    subtitle: plainText(content),
    ...(timelineUrl && { timelineUrl: paths.media(timelineUrl) }),
    downloads: toDownloads(record, (format) => fileName(record, format)),
  } satisfies Track;
}
