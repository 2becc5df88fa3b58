import { parseMarks } from "~server/contract/marks";

/** How content may be cut before a place, from not at all to the best. */
export type Cut = "never" | "anywhere" | "word" | "clause" | "sentence" | "paragraph";

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const breaks: ReadonlyArray<[Cut, RegExp]> = [
  ["clause", /(?:[，,、:：—]|#[\d.]+#)["'”’」』）)】》\s]*/gu],
  ["sentence", /[。！？；…!?;]+["'”’」』）)】》\s]*|\.(?=\s|$)["'”’」』）)】》\s]*/gu],
  ["paragraph", /[\n\r\u2028\u2029]\s*/gu],
];
/** Places inside numbers with their separators, inside Latin words and addresses, and inside what is drawn as one. */
const whole =
  /[\p{N}\p{Script=Latin}@](?:[\p{N}\p{Script=Latin}\p{M}@'’.,:：/_%+~-]|(?<=\d)\s(?=\d))*[\p{N}\p{Script=Latin}%]|[\s\S]\p{M}+|\S(?:\u200d\S)+/gu;

/** One entry for every place in the content and one for its end. */
export function gradeCuts(content: string): Cut[] {
  const cuts: Cut[] = new Array(content.length + 1).fill("never");
  for (const point of content.matchAll(/[\s\S]/gu)) cuts[point.index] = "anywhere";
  for (const { index } of segmenter.segment(content)) cuts[index] = "word";
  for (const [cut, pattern] of breaks)
    for (const { 0: text, index } of content.matchAll(pattern)) cuts[index + text.length] = cut;
  for (const { 0: text, index } of content.matchAll(whole)) forbid(cuts, index + 1, index + text.length);
  for (const { kind, offset, length } of parseMarks(content)) {
    if (kind === "reading") forbid(cuts, offset + 1, offset + length);
    if (kind === "pause") forbid(cuts, offset, offset + length);
  }
  cuts[0] = "never";
  cuts[content.length] = "paragraph";
  return cuts;
}

function forbid(cuts: Cut[], from: number, to: number): void {
  cuts.fill("never", from, to);
}
