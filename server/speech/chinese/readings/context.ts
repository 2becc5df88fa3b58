const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** For each character, the start and exclusive end of its word, in characters. */
export interface WordBounds {
  starts: number[];
  ends: number[];
}

/** Words of the segmenter's dictionary that in running text are nearly always two: 小说中的人物, 就得到了奖. */
const separated = new Set(["中的", "就得"]);

export function findWords(characters: readonly string[]): WordBounds {
  const bounds: WordBounds = { starts: [], ends: [] };
  for (const { segment } of segmenter.segment(characters.join(""))) {
    for (const word of separated.has(segment) ? segment : [segment]) {
      const from = bounds.starts.length;
      const length = [...word].length;
      for (let index = 0; index < length; index++) {
        bounds.starts.push(from);
        bounds.ends.push(from + length);
      }
    }
  }
  return bounds;
}

/** A character position in its segmented text. */
export interface ReadingContext {
  characters: readonly string[];
  words: WordBounds;
  at: number;
}

const numeral = /[\d一二三四五六七八九十百千万亿两几]/;
const punctuation = /[，。！？；、：,.!?]/;
const han = /^\p{Script=Han}+$/u;

/** Feature keys of a character: neighbours, word, position in it, lengths of the words beside. Training shares them. */
export function findFeatures({ characters, words, at }: ReadingContext): string[] {
  const left = toClass(characters[at - 1]);
  const right = toClass(characters[at + 1]);
  const from = words.starts[at] ?? at;
  const to = words.ends[at] ?? at + 1;
  const lengthAt = (index: number) => Math.min(3, (words.ends[index] ?? 1) - (words.starts[index] ?? 0));
  const lengths = [`a${lengthAt(from - 1)}`, `z${lengthAt(to)}`];
  const word = toWordClass(characters.slice(from, to).join(""));
  return [`l${left}`, `r${right}`, `m${left}${right}`, `w${word}`, `p${positionIn(at - from, to - from)}`, ...lengths];
}

function toClass(character: string | undefined): string {
  if (character === undefined) return "^";
  if (numeral.test(character)) return "#";
  if (han.test(character)) return character;
  if (punctuation.test(character)) return ".";
  return /[A-Za-z]/.test(character) ? "A" : "o";
}

function toWordClass(word: string): string {
  return han.test(word) ? word : toClass([...word][0]);
}

function positionIn(index: number, length: number): string {
  if (length === 1) return "s";
  if (index === 0) return "b";
  return index === length - 1 ? "e" : "m";
}
