const marks: Record<string, string> = { a: "āáǎà", e: "ēéěè", i: "īíǐì", o: "ōóǒò", u: "ūúǔù", ü: "ǖǘǚǜ" };

/** "hang2" → "háng", as dictionaries write it; a fifth tone has no mark, and what is no syllable stays as it is. */
export function toneMarked(syllable: string): string {
  const { letters, tone } = /^(?<letters>[a-zü]+)(?<tone>[1-5])$/.exec(syllable)?.groups ?? {};
  if (!letters || !tone) return syllable;
  const plain = letters.replace(/v/g, "ü");
  const at = carrierOf(plain);
  const marked = marks[plain[at] ?? ""]?.[Number(tone) - 1];
  return marked ? plain.slice(0, at) + marked + plain.slice(at + 1) : plain;
}

/** Where the tone is written: on a or e, on the o of ou, else on the last vowel. */
function carrierOf(plain: string): number {
  const first = [plain.indexOf("a"), plain.indexOf("e"), plain.indexOf("ou")].find((at) => at >= 0);
  return first ?? Math.max(...["i", "o", "u", "ü"].map((vowel) => plain.lastIndexOf(vowel)));
}
