import { type Context, findFeatures } from "./context";
import { findInWordList } from "./word-list";

/**
 * Parameters of a log-linear model of polyphonic characters. `counts` holds training counts ("xing2:19 hang2:1");
 * `weights` holds feature weights by reading, in hundredths ("l银:120 r业:44").
 */
export interface PolyphoneWeights {
  /** Weights of features shared by all characters, in hundredths. */
  shared: Record<string, number>;
  characters: Record<string, { counts: string; weights: Record<string, string> }>;
}

/** Features of one character occurrence. */
export interface Evidence {
  features: readonly string[];
  /** The lexicon's reading. */
  guess: string;
}

/** Feature keys of a candidate reading: specific to the character, and shared by all characters. */
export interface FeatureKeys {
  own: string[];
  shared: string[];
}

type Counts = ReadonlyMap<string, number>;

export function findEvidence(context: Context, guess: string): Evidence {
  return { features: findFeatures(context), guess };
}

export function findCandidates({ guess }: Evidence, counts: Counts): string[] {
  return [...new Set([...counts.keys(), guess])];
}

export function findKeys({ features, guess }: Evidence, reading: string, counts: Counts): FeatureKeys {
  const own = [...features, "*"];
  const shared = [`seen${shareOf(reading, counts)}`];
  if (guess === reading) {
    own.push("guess");
    shared.push("guess");
  }
  return { own, shared };
}

/** Smoothed log prior of a reading. */
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

/** Returns a function that chooses a reading: from the word list, else the most likely of the model, else the lexicon's. */
export function createDisambiguator(
  { shared, characters }: PolyphoneWeights,
  findListed: (context: Context) => string | null = findInWordList,
): (context: Context, guess: string) => string {
  const cache = new Map<string, CharacterModel>();
  return (context, guess) => {
    const character = context.characters[context.at] ?? "";
    const listed = findListed(context);
    if (listed) return listed;
    const model = characters[character];
    if (!model) return guess;
    const { counts, weights } = cache.get(character) ?? parseModel(model);
    cache.set(character, { counts, weights });
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

interface CharacterModel {
  counts: Counts;
  weights: ReadonlyMap<string, number>;
}

function parseModel(written: { counts: string; weights: Record<string, string> }): CharacterModel {
  const weights = new Map<string, number>();
  for (const [reading, features] of Object.entries(written.weights)) {
    for (const [cue, weight] of parsePairs(features)) weights.set(`${reading} ${cue}`, weight);
  }
  return { counts: new Map(parsePairs(written.counts)), weights };
}

function parsePairs(written: string): Array<[string, number]> {
  return written.split(" ").flatMap((pair) => {
    const [key, value] = pair.split(":");
    return key && value ? [[key, Number(value)]] : [];
  });
}
