import { type Context, findFeatures } from "./context";
import { findInWordList } from "./word-list";

/**
 * What was learnt of the ambiguous characters. `counts` says how often a reading was seen ("xing2:19 hang2:1");
 * `weights` gives for each reading what its cues are worth, in hundredths ("l银:120 r业:44").
 */
export interface PolyphoneWeights {
  /** Worth of evidence that means the same for every character, in hundredths. */
  shared: Record<string, number>;
  characters: Record<string, { counts: string; weights: Record<string, string> }>;
}

/** Evidence for the readings of one character in one place. */
export interface Evidence {
  cues: readonly string[];
  /** What the lexicon says. */
  guess: string;
}

/** Keys of what speaks for a reading: those of this character, and those that all characters share. */
export interface Keys {
  own: string[];
  shared: string[];
}

type Counts = ReadonlyMap<string, number>;

export function findEvidence(context: Context, guess: string): Evidence {
  return { cues: findFeatures(context), guess };
}

export function findCandidates({ guess }: Evidence, counts: Counts): string[] {
  return [...new Set([...counts.keys(), guess])];
}

export function findKeys({ cues, guess }: Evidence, reading: string, counts: Counts): Keys {
  const own = [...cues, "*"];
  const shared = [`seen${shareOf(reading, counts)}`];
  if (guess === reading) {
    own.push("guess");
    shared.push("guess");
  }
  return { own, shared };
}

/** Log of how usual a reading is; a reading never seen stays possible. */
export function logPrior(reading: string, counts: Counts): number {
  const total = sum(counts);
  return 0.7 * Math.log(((counts.get(reading) ?? 0) + 0.3) / (total + 0.6));
}

function shareOf(reading: string, counts: Counts): string {
  const count = counts.get(reading) ?? 0;
  if (count === 0) return "Never";
  const total = sum(counts);
  return count === total ? "Always" : String(Math.ceil((count / total) * 4));
}

const sum = (counts: Counts) => [...counts.values()].reduce((total, count) => total + count, 0);

/** Answers which reading a character has in its context: the listed one, else the likeliest learnt, else the lexicon's guess. */
export function createDisambiguator({
  shared,
  characters,
}: PolyphoneWeights): (context: Context, guess: string) => string {
  const learnt = new Map<string, Learnt>();
  return (context, guess) => {
    const character = context.characters[context.at] ?? "";
    const listed = findInWordList(context);
    if (listed) return listed;
    const known = characters[character];
    if (!known) return guess;
    const { counts, weights } = learnt.get(character) ?? parseLearnt(known);
    learnt.set(character, { counts, weights });
    const evidence = findEvidence(context, guess);
    let best = { reading: guess, score: Number.NEGATIVE_INFINITY };
    for (const reading of findCandidates(evidence, counts)) {
      const keys = findKeys(evidence, reading, counts);
      let score = logPrior(reading, counts);
      for (const key of keys.shared) score += (shared[key] ?? 0) / 100;
      for (const key of keys.own) score += (weights.get(`${reading} ${key}`) ?? 0) / 100;
      if (score > best.score) best = { reading, score };
    }
    return best.reading;
  };
}

interface Learnt {
  counts: Counts;
  weights: ReadonlyMap<string, number>;
}

function parseLearnt(written: { counts: string; weights: Record<string, string> }): Learnt {
  const weights = new Map<string, number>();
  for (const [reading, cues] of Object.entries(written.weights)) {
    for (const [cue, weight] of parsePairs(cues)) weights.set(`${reading} ${cue}`, weight);
  }
  return { counts: new Map(parsePairs(written.counts)), weights };
}

function parsePairs(written: string): Array<[string, number]> {
  return written.split(" ").flatMap((pair) => {
    const [key, value] = pair.split(":");
    return key && value ? [[key, Number(value)]] : [];
  });
}
