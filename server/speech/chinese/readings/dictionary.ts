/** An entry of the account's dictionary: one syllable per Chinese character, any number for other words. */
export interface DictionaryEntry {
  word: string;
  /** Syllables with tone digits, separated by spaces: "hang2 zhang3". */
  pinyin: string;
}

export interface DictionaryMatch {
  offset: number;
  length: number;
  syllables: string[];
}

const syllable = /^[a-zü]{1,6}[1-5]$/;

/** Finds dictionary words in the text; the longest match wins. Ignores malformed entries. */
export function matchDictionary(text: string, dictionary: readonly DictionaryEntry[]): DictionaryMatch[] {
  const words = parseEntries(dictionary);
  if (words.size === 0) return [];
  const maxLength = Math.max(...[...words.keys()].map((word) => word.length));
  const matches: DictionaryMatch[] = [];
  for (let at = 0; at < text.length; at++) {
    for (let length = Math.min(maxLength, text.length - at); length > 0; length--) {
      const syllables = words.get(text.slice(at, at + length));
      if (!syllables) continue;
      matches.push({ offset: at, length, syllables });
      at += length - 1;
      break;
    }
  }
  return matches;
}

function parseEntries(dictionary: readonly DictionaryEntry[]): Map<string, string[]> {
  const words = new Map<string, string[]>();
  for (const { word, pinyin } of dictionary) {
    const syllables = pinyin.trim().toLowerCase().replaceAll("ü", "v").split(/\s+/);
    if (word.length > 0 && syllables.every((each) => syllable.test(each))) words.set(word, syllables);
  }
  return words;
}
