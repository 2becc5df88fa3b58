import type { CloneRecord } from "~server/bff/generations.server";
import { parseMarks } from "~server/contract/marks";

const startLength = 10;

/** The text as it is read: marks left out. */
export const plainText = (content: string) =>
  parseMarks(content)
    .map((mark) => (mark.kind === "text" ? mark.text : mark.kind === "reading" ? mark.char : ""))
    .join("");

/** Who, how it begins and when: "沈砚-春天来了-20261121-1405.mp3". */
export function fileName(
  { name, content, createdAt }: Pick<CloneRecord, "name" | "content" | "createdAt">,
  ending: string,
) {
  const start = [...plainText(content).replace(/[\s\p{P}]/gu, "")].slice(0, startLength).join("");
  const time = createdAt.slice(0, 16).replace(/[-:]/g, "").replace("T", "-");
  return `${[name, start, time].filter(Boolean).join("-")}.${ending}`;
}
