import type { SpokenUnit } from "../../engine";
import { punctuation } from "../remote/runs";

/**
 * Readings for ZipVoice. Its text front end looks words up in a lexicon and applies no rules of Chinese, so a lexicon of
 * our own has one private-use character for every toned syllable, and texts are written in these characters: every
 * syllable arrives as our front end read it. Only Latin words are left to the model's eSpeak.
 */
const initials = ["", ..."b p m f d t n l g k h j q x zh ch sh r z c s y w".split(" ")];
const finals =
  "a o e i u v ai ei ao ou an en ang eng ong er ia ie iao iu ian in iang ing iong io ua uo uai ui uan un uang ue ve van vn m n ng".split(
    " ",
  );
const tones = [1, 2, 3, 4, 5];
const firstCodePoint = 0xe000;
/** Follows the character of a syllable with a retroflex suffix. */
const suffixCodePoint = firstCodePoint + initials.length * finals.length * tones.length;

const commaFactor = 3;

interface Syllable {
  initial: string;
  final: string;
  tone: number;
}

/** Writes a unit for ZipVoice; a reading without a character (foreign letters) stays as written. */
export function writeSyllable(unit: SpokenUnit, previous: SpokenUnit | undefined): string {
  if (unit.kind === "pause") return punctuation[unit.strength ?? "comma"];
  if (unit.kind === "latin") return writeLatin(unit.text, previous);
  const [, letters = "", suffix = "", tone = "5"] =
    /^(er|[a-zü:]+?)(r?)([1-5])$/.exec((unit.pinyin ?? "").replace(/ü|u:/g, "v")) ?? [];
  const syllable = toSyllable(letters, Number(tone));
  if (!syllable) return unit.text;
  return `${toCharacter(syllable)}${suffix ? String.fromCodePoint(suffixCodePoint) : ""}`;
}

/**
 * Splits a text where a listener expects a pause, so that the first sound comes early and a cancelled request ends soon: at
 * the end of a sentence, and at commas where a clause has grown to `commaFactor` times the least length.
 */
export function splitClauses(text: string, minCharacters: number): string[] {
  const clauses: string[] = [];
  let clause = "";
  for (const piece of text.match(/[^，。？！]*[，。？！]?/gu) ?? []) {
    clause += piece;
    const isEnd = !piece.endsWith("，");
    if (clause.length >= minCharacters * (isEnd ? 1 : commaFactor)) {
      clauses.push(clause);
      clause = "";
    }
  }
  // A short rest is spoken with the clause before it.
  if (clause.length >= minCharacters || clauses.length === 0) clauses.push(clause);
  else clauses[clauses.length - 1] += clause;
  return clauses;
}

/** eSpeak reads a single A as the article. */
const writeLatin = (text: string, previous: SpokenUnit | undefined) =>
  `${previous?.kind === "latin" ? " " : ""}${/^a$/i.test(text) ? "eigh" : text}`;

function toSyllable(letters: string, tone: number): Syllable | null {
  const initial = /^(zh|ch|sh)/.test(letters) ? letters.slice(0, 2) : letters.slice(0, 1);
  const options = [
    { initial, final: letters.slice(initial.length) },
    { initial: "", final: letters },
    // Interjections (hm, hng): the nasal carries the sound.
    { initial: "", final: letters.slice(1) },
  ];
  const found = options.find((option) => initials.includes(option.initial) && finals.includes(option.final));
  return found ? { ...found, tone } : null;
}

const toCharacter = ({ initial, final, tone }: Syllable) =>
  String.fromCodePoint(
    firstCodePoint + (initials.indexOf(initial) * finals.length + finals.indexOf(final)) * tones.length + tone - 1,
  );

/**
 * The lexicon in the model's own tokens: initials as "zh0", finals as "ong4" (pypinyin, not strict). Syllables that the
 * model has no tokens for are read in another tone.
 */
export function toSyllableLexicon(tokens: ReadonlySet<string>): string {
  const lines: string[] = [];
  for (const initial of initials) {
    for (const final of finals) {
      for (const tone of tones) {
        const spelling = spell({ initial, final, tone }, tokens);
        if (spelling) lines.push(`${toCharacter({ initial, final, tone })} ${spelling.join(" ")}`);
      }
    }
  }
  const suffix = ["er5", "er2"].find((token) => tokens.has(token));
  if (suffix) lines.push(`${String.fromCodePoint(suffixCodePoint)} ${suffix}`);
  return `${lines.join("\n")}\n`;
}

/** The tokens of a model: `token id` lines; the token may be a space. */
export const readTokens = (text: string): Set<string> =>
  new Set(text.split("\n").flatMap((line) => /^(.+)\s\d+\r?$/.exec(line)?.[1] ?? []));

/** The tokens of one syllable; null if the model lacks them in every tone. */
function spell({ initial, final, tone }: Syllable, tokens: ReadonlySet<string>): string[] | null {
  const start = initial === "" ? [] : [`${initial}0`];
  for (const anyTone of [tone, ...tones.filter((other) => other !== tone)]) {
    for (const variant of variantsOf(final)) {
      const spelling = [...start, `${variant}${anyTone}`];
      if (spelling.every((token) => tokens.has(token))) return spelling;
    }
  }
  return null;
}

/** Other spellings of ü, and the nearest sound of syllabic nasals. */
function variantsOf(final: string): string[] {
  if (final.startsWith("v")) return [final, `u${final.slice(1)}`];
  if (/^u(n|e|an)?$/.test(final)) return [final, `v${final.slice(1)}`];
  return /^(m|n|ng)$/.test(final) ? [final, "en"] : [final];
}
