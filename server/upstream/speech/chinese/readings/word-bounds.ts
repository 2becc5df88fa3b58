const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** For each character, where its word starts and ends (exclusive), in characters. */
export interface WordBounds {
  starts: number[];
  ends: number[];
}

export function findWords(characters: readonly string[]): WordBounds {
  const bounds: WordBounds = { starts: [], ends: [] };
  for (const { segment } of segmenter.segment(characters.join(""))) {
    const from = bounds.starts.length;
    const length = [...segment].length;
    for (let index = 0; index < length; index++) {
      bounds.starts.push(from);
      bounds.ends.push(from + length);
    }
  }
  return bounds;
}
