import { listReadings } from "../../chinese/readings/lexicon";
import { type WriteUnit, writeAsWritten } from "../remote/runs";

const single = /^\p{Script=Han}$/u;
const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");

/**
 * SSML for a unit: a character with several readings carries the one that our front end chose, with its spoken tone
 * (`<phoneme alphabet="py" ph="xing2">`); everything else is text. The spelling of ü is not documented: `v`.
 */
export const writeMarkup: WriteUnit = (unit, previous) => {
  const text = writeAsWritten(unit, previous);
  const isMarked = unit.kind === "syllable" && unit.pinyin && single.test(text) && listReadings(text).length > 1;
  return isMarked ? `<phoneme alphabet="py" ph="${unit.pinyin}">${text}</phoneme>` : escapeXml(text);
};

/** The text of SSML without its elements. */
export const toPlainMarkup = (markup: string): string =>
  Object.entries(escapes).reduceRight(
    (text, [character, reference]) => text.replaceAll(reference, character),
    markup.replace(/<[^>]+>/g, ""),
  );
