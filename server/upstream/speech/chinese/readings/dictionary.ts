/** A word of the account's own dictionary: one syllable for each character, or any number of them for other words. */
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

/** Finds the dictionary's words in the text, the longest first where they overlap. Malformed entries are left out. */
export function matchDictionary(text: string, dictionary: readonly DictionaryEntry[]): DictionaryMatch[] {
  const words = readable(dictionary);
  if (words.size === 0) return [];
  const longest = Math.max(...[...words.keys()].map((word) => word.length));
  const found: DictionaryMatch[] = [];
  for (let at = 0; at < text.length; at++) {
    for (let length = Math.min(longest, text.length - at); length > 0; length--) {
      const syllables = words.get(text.slice(at, at + length));
      if (!syllables) continue;
      found.push({ offset: at, length, syllables });
      at += length - 1;
      break;
    }
  }
  return found;
}

function readable(dictionary: readonly DictionaryEntry[]): Map<string, string[]> {
  const words = new Map<string, string[]>();
  for (const { word, pinyin } of dictionary) {
    const syllables = pinyin.trim().toLowerCase().replaceAll("ü", "v").split(/\s+/);
    if (word.length > 0 && syllables.every((each) => syllable.test(each))) words.set(word, syllables);
  }
  return words;
}
