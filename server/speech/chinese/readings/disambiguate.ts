import { findFeatures, type ReadingContext } from "./context";
import written from "./patterns.json" with { type: "json" };
import { findInDictionary, findInWordList } from "./word-list";

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
  /** The reading in the longest dictionary word around the character. */
  inWord: string | null;
}

type Counts = ReadonlyMap<string, number>;

export function findEvidence(context: ReadingContext, guess: string): Evidence {
  return { features: findFeatures(context), guess, inWord: findInDictionary(context) };
}

export function findCandidates({ guess, inWord }: Evidence, counts: Counts): string[] {
  return [...new Set([...counts.keys(), guess, inWord ?? guess])];
}

/** Feature keys of a candidate reading: specific to the character, and shared by all characters. */
export function findKeys({ features, guess, inWord }: Evidence, reading: string, counts: Counts) {
  const own = [...features, "*"];
  const shared = [`seen${shareOf(reading, counts)}`];
  if (inWord === reading) shared.push(features.includes("ps") ? "acrossWords" : "inWord");
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

/** A chosen reading, and what says how certain it is. */
export interface ReadingChoice {
  reading: string;
  character: string;
  /** Probability by the model, whatever the reading was chosen from. */
  probability: number;
  /** Shares of this reading and of the most frequent one in training. */
  share: number;
  majority: number;
  isListed: boolean;
  /** The reading in a dictionary word around the character. */
  inWord: string | null;
  /** Whether the lexicon reads it so. */
  isLexical: boolean;
  /** Whether the character is a word of its own. */
  isAlone: boolean;
  isTrained: boolean;
}

/** Stands for the three figures of a character without training. */
const untrained = 0.95;

/** Returns a function that chooses a reading: from the word list, else the most likely of the model, else the dictionary's or the lexicon's. */
export function createDisambiguator(
  { shared, characters }: PolyphoneWeights,
  findListed: (context: ReadingContext) => string | null = findInWordList,
): (context: ReadingContext, guess: string) => ReadingChoice {
  const cache = new Map<string, CharacterModel>();
  return (context, guess) => {
    const { words, at } = context;
    const character = context.characters[at] ?? "";
    const listed = findByPattern(context) ?? findListed(context);
    const evidence = findEvidence(context, guess);
    const found = {
      character,
      inWord: evidence.inWord,
      isListed: listed !== null,
      isTrained: character in characters,
      isAlone: (words.ends[at] ?? 0) - (words.starts[at] ?? 0) === 1,
    };
    const written = characters[character];
    if (!written) {
      const reading = listed ?? evidence.inWord ?? guess;
      const figures = { probability: untrained, share: untrained, majority: untrained };
      return { ...found, ...figures, reading, isLexical: reading === guess };
    }
    const model = cache.get(character) ?? parseModel(written);
    cache.set(character, model);
    const scores = scoreReadings({ shared, model }, evidence);
    const [best = guess] = [...scores].reduce((one, other) => (other[1] > one[1] ? other : one));
    const reading = listed ?? best;
    const shareOfReading = (one: string) => (model.counts.get(one) ?? 0) / Math.max(1, sum(model.counts));
    return {
      ...found,
      reading,
      probability: probabilityOf(reading, scores),
      share: shareOfReading(reading),
      majority: Math.max(0, ...[...model.counts.keys()].map(shareOfReading)),
      isLexical: reading === guess,
    };
  };
}

/** The candidates with their logarithmic scores. */
function scoreReadings(
  { shared, model }: { shared: Record<string, number>; model: CharacterModel },
  evidence: Evidence,
): Map<string, number> {
  const { counts, weights } = model;
  const scored = findCandidates(evidence, counts).map((reading) => {
    const keys = findKeys(evidence, reading, counts);
    let score = logPrior(reading, counts);
    for (const key of keys.shared) score += (shared[key] ?? 0) / 100;
    for (const key of keys.own) score += (weights.get(`${reading} ${key}`) ?? 0) / 100;
    return [reading, score] as const;
  });
  return new Map(scored);
}

function probabilityOf(reading: string, scores: ReadonlyMap<string, number>): number {
  const highest = Math.max(...scores.values());
  const total = [...scores.values()].reduce((all, score) => all + Math.exp(score - highest), 0);
  const own = scores.get(reading);
  return own === undefined ? 0 : Math.exp(own - highest) / total;
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

const reach = 6;
const lists: Record<string, string | undefined> = written.lists;

/** `{name}` in a pattern means any word of that list. */
function compile(pattern: string): RegExp {
  const withLists = pattern.replace(
    /\{([a-z]\w*)\}/gi,
    (_, name: string) => `(?:${lists[name]?.replaceAll(" ", "|")})`,
  );
  return new RegExp(withLists, "u");
}

const patterns = new Map(
  Object.entries(written.patterns).map(([character, byReading]) => [
    character,
    Object.entries(byReading).map(([reading, list]) => ({ reading, patterns: list.map(compile) })),
  ]),
);

/**
 * Returns the reading of the first pattern that matches around the character, or null. A pattern sees a bar before each
 * word and the character in angle brackets: |慢慢|<地>|走.
 */
function findByPattern({ characters, words, at }: ReadingContext): string | null {
  const readings = patterns.get(characters[at] ?? "");
  if (!readings) return null;
  const from = Math.max(0, at - reach);
  const marked = characters.slice(from, at + reach + 1).map((character, index) => {
    const bar = words.starts[from + index] === from + index ? "|" : "";
    return bar + (from + index === at ? `<${character}>` : character);
  });
  const text = marked.join("");
  return readings.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))?.reading ?? null;
}
