import { createNoise } from "../../../dsp/noise";
import type { SpokenUnit } from "../../../engine";

/** Difference of one syllable from the same syllable in another sentence. */
export interface Variation {
  raiseSt: number;
  gainDb: number;
  /** Factor of the duration. */
  length: number;
}

/** Standard deviations; `most` is a multiple of them. */
const clauseSt = 0.8;
const word = { raiseSt: 0.3, gainDb: 0.3, length: 0.04 };
const syllableLength = 0.06;
const most = 1.7;
/** Louder where higher. */
const gainPerSt = 0.25;
/** People begin a phrase higher and faster than its tones and its fall explain. */
const opening = { syllables: 2, raiseSt: 0.2, length: 0.95 };

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/**
 * Pitch, level and pace of each unit of a clause as people vary them. Depends on the words and their place alone: the
 * same request sounds the same, a sentence that occurs twice in a text does not, and a question varies like its statement.
 * Measured on four people, with the tones taken out: the pitch of words spreads by 2.6 st around that of the clause, and
 * the clauses by 2.2 st. A third of it is used for clauses and an eighth for words: it cannot follow the meaning, and
 * tones must stay clear.
 */
export function varyWords(units: readonly SpokenUnit[], place: number): Variation[] {
  const text = units.map((unit) => (/^\p{Script=Han}$/u.test(unit.text[0] ?? "") ? unit.text[0] : "·")).join("");
  const variations: Variation[] = [];
  const clause = limited(noiseOf(place, units[0]?.pinyin ?? "").gauss()) * clauseSt;
  for (const { segment, index } of segmenter.segment(text)) {
    const own = units.slice(index, index + segment.length);
    const noise = noiseOf(place + index, own.map(({ pinyin }) => pinyin).join(" "));
    const raiseSt = limited(noise.gauss()) * word.raiseSt;
    const gainDb = limited(noise.gauss()) * word.gainDb + gainPerSt * raiseSt;
    const length = limited(noise.gauss()) * word.length;
    for (let i = 0; i < segment.length; i++) {
      const isOpening = index + i < opening.syllables;
      variations.push({
        raiseSt: clause + raiseSt + (isOpening ? opening.raiseSt : 0),
        gainDb,
        length: Math.exp(length + limited(noise.gauss()) * syllableLength) * (isOpening ? opening.length : 1),
      });
    }
  }
  return variations;
}

/** Factor of a pause, around 1. */
export const varyPause = (units: readonly SpokenUnit[], place: number): number =>
  Math.exp(limited(noiseOf(place, `pause ${units.at(-1)?.pinyin ?? ""}`).gauss()) * 0.3);

const limited = (value: number) => Math.min(most, Math.max(-most, value));

function noiseOf(place: number, words: string) {
  let hash = 2166136261 ^ place;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words.charCodeAt(i), 16777619);
  const noise = createNoise(hash >>> 0);
  // The first numbers of seeds that are near each other are near each other.
  for (let i = 0; i < 8; i++) noise.uniform();
  return noise;
}
