import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadingContext } from "~server/speech/chinese/readings/context";
import { findWords } from "~server/speech/chinese/readings/context";
import {
  type Evidence,
  findCandidates,
  findEvidence,
  findKeys,
  logPrior,
  type PolyphoneWeights,
} from "~server/speech/chinese/readings/disambiguate";
import { readLexicon } from "~server/speech/chinese/readings/lexicon";
import { findInWordList, listWords } from "~server/speech/chinese/readings/word-list";
import { minimise, type Objective } from "./minimise";

/** A sentence of the data set with the true reading of one character. */
export interface Sample extends Evidence {
  context: ReadingContext;
  character: string;
  reading: string;
}

interface Option {
  sample: number;
  isTrue: boolean;
  prior: number;
  keys: string[];
}

const iterations = 40;
/** Strength of the pull towards zero. Accuracy varies by less than 0.1 points between a third and three times of it. */
const decay = 0.05;
/** Weights smaller than this, in hundredths, do not change enough decisions to justify their size. */
const smallest = 4;
const mark = "▁";

/** Reads `<name>.sent` and `<name>.lb` of a folder in the data set's form. */
export async function readSamples(folder: string, name: string): Promise<Sample[]> {
  const sentences = (await readFile(join(folder, `${name}.sent`), "utf8")).trimEnd().split("\n");
  const labels = (await readFile(join(folder, `${name}.lb`), "utf8")).trimEnd().split("\n");
  return sentences.map((sentence, index) => toSample(sentence, labels[index] ?? ""));
}

function toSample(sentence: string, label: string): Sample {
  const at = [...sentence].indexOf(mark);
  const characters = [...sentence.replaceAll(mark, "")];
  const context = { characters, words: findWords(characters), at };
  const guess = readLexicon(characters)[at] ?? "";
  const reading = label.replace("u:", "v").replace(/^r5$/, "er5");
  return { context, character: characters[at] ?? "", reading, ...findEvidence(context, guess) };
}

/** Trains a log-linear model to its regularised maximum likelihood: the same samples give the same weights. */
export function train(samples: readonly Sample[]): PolyphoneWeights {
  const counts = countReadings(samples);
  const options = samples.flatMap((sample, index) => {
    const found = toOptions(sample, index, counts.get(sample.character) ?? new Map());
    return found.length > 1 ? found : [];
  });
  const numbers = new Map<string, number>();
  for (const key of options.flatMap(({ keys }) => keys)) if (!numbers.has(key)) numbers.set(key, numbers.size);
  const objective = createObjective(options, numbers);
  const found = minimise(objective, numbers.size, iterations);
  return toWeights(new Map([...numbers].map(([key, at]) => [key, found[at] ?? 0])), counts);
}

function countReadings(samples: readonly Sample[]): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const { character, reading } of samples) {
    const own = counts.get(character) ?? new Map<string, number>();
    own.set(reading, (own.get(reading) ?? 0) + 1);
    counts.set(character, own);
  }
  return counts;
}

function toOptions(sample: Sample, index: number, counts: ReadonlyMap<string, number>): Option[] {
  return findCandidates(sample, counts).map((reading) => {
    const { own, shared } = findKeys(sample, reading, counts);
    const keys = [...shared.map((key) => `+${key}`), ...own.map((key) => `${sample.character}${reading} ${key}`)];
    return { sample: index, isTrue: reading === sample.reading, prior: logPrior(reading, counts), keys };
  });
}

/** The negative logarithmic likelihood of the true readings with the decay; options of one sample are adjacent. */
function createObjective(options: readonly Option[], numbers: ReadonlyMap<string, number>): Objective {
  const columns = options.map(({ keys }) => Uint32Array.from(keys, (key) => numbers.get(key) ?? 0));
  const scores = new Float64Array(options.length);
  return (weights, slope) => {
    let value = 0;
    for (let at = 0; at < weights.length; at++) {
      const weight = weights[at] as number;
      slope[at] = decay * weight;
      value += (decay * weight * weight) / 2;
    }
    for (const [row, { prior }] of options.entries()) {
      let score = prior;
      for (const column of columns[row] ?? []) score += weights[column] as number;
      scores[row] = score;
    }
    for (let from = 0; from < options.length; ) {
      const sample = options[from]?.sample;
      let to = from;
      while (options[to]?.sample === sample) to++;
      const highest = Math.max(...scores.subarray(from, to));
      const total = scores.subarray(from, to).reduce((sum, score) => sum + Math.exp(score - highest), 0);
      const isKnown = options.slice(from, to).some(({ isTrue }) => isTrue);
      for (let row = from; isKnown && row < to; row++) {
        const logarithm = (scores[row] as number) - highest - Math.log(total);
        const isTrue = options[row]?.isTrue;
        if (isTrue) value -= logarithm;
        const error = Math.exp(logarithm) - (isTrue ? 1 : 0);
        for (const column of columns[row] ?? []) slope[column] = (slope[column] as number) + error;
      }
      from = to;
    }
    return value;
  };
}

function toWeights(
  weights: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, Map<string, number>>,
): PolyphoneWeights {
  const result: PolyphoneWeights = { shared: {}, characters: {} };
  for (const [character, own] of [...counts].sort()) {
    result.characters[character] = {
      counts: [...own].map(([reading, count]) => `${reading}:${count}`).join(" "),
      weights: {},
    };
  }
  for (const [key, value] of [...weights].sort()) {
    const weight = Math.round(value * 100);
    if (key.startsWith("+")) result.shared[key.slice(1)] = weight;
    else if (Math.abs(weight) >= smallest) addOwn(result, key, weight);
  }
  return result;
}

function addOwn(result: PolyphoneWeights, key: string, weight: number): void {
  const [character = "", ...letters] = [...key.slice(0, key.indexOf(" "))];
  const written = result.characters[character]?.weights;
  const reading = letters.join("");
  const pair = `${key.slice(key.indexOf(" ") + 1)}:${weight}`;
  if (written) written[reading] = written[reading] ? `${written[reading]} ${pair}` : pair;
}

const maxWordLength = 5;

/** The word list without the entries of which the sentence is the only evidence. */
export function createLeaveOneOut(samples: readonly Sample[]): (context: ReadingContext) => string | null {
  const sentences = new Map<string, Set<string>>();
  for (const { context, character } of samples) {
    for (const word of wordsAround(context)) {
      const key = `${character} ${word}`;
      sentences.set(key, (sentences.get(key) ?? new Set()).add(context.characters.join("")));
    }
  }
  return (context) => {
    const character = context.characters[context.at] ?? "";
    const isUsable = (word: string) =>
      (sentences.get(`${character} ${word}`)?.size ?? 0) > 1 || isInLexicon(character, word);
    return findInWordList(context, isUsable);
  };
}

function* wordsAround({ characters, at }: ReadingContext): Generator<string> {
  for (let length = 2; length <= maxWordLength; length++) {
    for (let from = Math.max(0, at - length + 1); from <= at; from++)
      yield characters.slice(from, from + length).join("");
  }
}

/** Whether the lexicon alone reads the character of this word as the word list does. */
function isInLexicon(character: string, word: string): boolean {
  const characters = [...word];
  const reading = readLexicon(characters)[characters.indexOf(character)];
  return reading !== null && reading !== undefined && listWords(character, reading).includes(word);
}
