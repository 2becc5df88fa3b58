import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "~server/upstream/speech/chinese/readings/context";
import { findWords } from "~server/upstream/speech/chinese/readings/context";
import {
  type Evidence,
  findCandidates,
  findEvidence,
  findKeys,
  logPrior,
  type PolyphoneWeights,
} from "~server/upstream/speech/chinese/readings/disambiguate";
import { readLexicon } from "~server/upstream/speech/chinese/readings/lexicon";

/** A sentence of the data set with the true reading of one character. */
export interface Sample extends Evidence {
  context: Context;
  character: string;
  reading: string;
}

interface Option {
  isTrue: boolean;
  prior: number;
  keys: string[];
}

const passes = 10;
const step = 0.3;
const decayOwn = 5e-3;
const decayShared = 5e-5;
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

/** Trains a log-linear model by adaptive gradient steps in a fixed order: the same samples give the same weights. */
export function train(samples: readonly Sample[]): PolyphoneWeights {
  const counts = countReadings(samples);
  const lessons = samples.map((sample) => toOptions(sample, counts.get(sample.character) ?? new Map()));
  const weights = new Map<string, number>();
  const slopes = new Map<string, number>();
  const random = createRandom();
  for (let pass = 0; pass < passes; pass++) {
    shuffle(lessons, random);
    for (const options of lessons) if (options.length > 1) learn(options, weights, slopes);
  }
  return toWeights(weights, counts);
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

function toOptions(sample: Sample, counts: ReadonlyMap<string, number>): Option[] {
  return findCandidates(sample, counts).map((reading) => {
    const { own, shared } = findKeys(sample, reading, counts);
    const keys = [...shared.map((key) => `+${key}`), ...own.map((key) => `${sample.character}${reading} ${key}`)];
    return { isTrue: reading === sample.reading, prior: logPrior(reading, counts), keys };
  });
}

function learn(options: readonly Option[], weights: Map<string, number>, slopes: Map<string, number>): void {
  const scores = options.map(({ prior, keys }) => keys.reduce((score, key) => score + (weights.get(key) ?? 0), prior));
  const highest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - highest));
  const total = odds.reduce((sum, each) => sum + each, 0);
  for (const [index, { isTrue, keys }] of options.entries()) {
    const error = (odds[index] ?? 0) / total - (isTrue ? 1 : 0);
    if (Math.abs(error) < 1e-3) continue;
    for (const key of keys) {
      const weight = weights.get(key) ?? 0;
      const slope = error + weight * (key.startsWith("+") ? decayShared : decayOwn);
      const sum = (slopes.get(key) ?? 0) + slope * slope;
      slopes.set(key, sum);
      weights.set(key, weight - (step * slope) / (Math.sqrt(sum) + 0.1));
    }
  }
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

function shuffle<Item>(items: Item[], random: () => number): void {
  for (let index = items.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [items[index], items[other]] = [items[other] as Item, items[index] as Item];
  }
}

function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
