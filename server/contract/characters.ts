import { parseMarks } from "./marks";

/**
 * What one generation costs: Unicode code points after NFC that are neither white space nor part of a mark.
 * The character that carries a reading counts, its reading does not.
 */
export function countCharacters(content: string): number {
  let count = 0;
  for (const mark of parseMarks(content.normalize("NFC"))) {
    if (mark.kind === "reading") count += 1;
    if (mark.kind === "text") for (const point of mark.text) count += /\s/u.test(point) ? 0 : 1;
  }
  return count;
}
