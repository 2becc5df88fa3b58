/** Said as words although written in capitals. */
const sayable = new Set(
  (
    "APP NASA NATO OPEC UNESCO UNICEF APEC ASEAN COVID SARS LASER RADAR OPPO VIVO SOHO TOEFL NIKE PUMA ZARA OK NO YES " +
    "HELLO HI LOVE SALE NEW HOT COOL PLUS PRO MAX MINI AIR LINUX JAVA PYTHON EXCEL WORD WIN MAC PAD TIPS SHOW LIVE HOME " +
    "BOSS LOGO ROCK JAZZ RAP TOP MIX BYE GET"
  ).split(" "),
);
/** y is a vowel after a consonant: gym, but not yyds. */
const vowel = /[aeiouàáâäèéêëìíîïòóôöùúûü]|[^y]y/i;
const whole = /['’]|^(?:Mc|Mac)\p{Lu}/u;
const hump = /\p{Lu}\p{Ll}+|\p{Ll}+|\p{Lu}+(?!\p{Ll})|./gsu;

/** A stretch of a Latin word to be spoken on its own, and where in the word it stands. */
export interface LatinPart {
  text: string;
  at: number;
}

/**
 * Splits a word at its humps ("ChatGPT" → Chat G P T) and spells what nobody can say: capitals outside a list of
 * sayable ones, and stretches without a vowel. A part of one letter is a letter name: an English voice says those well,
 * so no Chinese approximation of letter names is made up here.
 */
export function splitLatin(word: string): LatinPart[] {
  if (whole.test(word) || sayable.has(word)) return [{ text: word, at: 0 }];
  return [...word.matchAll(hump)].flatMap(({ 0: part, index }) =>
    isSpelled(part) ? spell(part, index) : [{ text: part, at: index }],
  );
}

function isSpelled(part: string): boolean {
  if (part.length === 1 || sayable.has(part)) return false;
  return !vowel.test(part) || part === part.toUpperCase();
}

function spell(part: string, at: number): LatinPart[] {
  return [...part].map((text, index) => ({ text, at: at + index }));
}
