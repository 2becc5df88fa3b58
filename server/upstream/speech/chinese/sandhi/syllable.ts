/** One syllable on its way from the lexicon to the mouth. */
export interface Syllable {
  /** The character it is the reading of. */
  char: string;
  /** Letters without the tone, 儿化 as a final r. */
  letters: string;
  /** As in the lexicon. */
  lexical: number;
  /** As spoken. */
  tone: number;
  /** Set by a mark or the dictionary: others may change because of it, it never changes itself. */
  isPinned: boolean;
  /** Where its word starts and ends in the run, in syllables. */
  wordStart: number;
  wordEnd: number;
}

export function setTone(syllable: Syllable | undefined, tone: number): void {
  if (syllable && !syllable.isPinned) syllable.tone = tone;
}
