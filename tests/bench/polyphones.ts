/** Measures the accuracy for ambiguous characters: npx tsx tests/bench/polyphones.ts <folder of g2pM's CPP set> */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Context } from "~server/upstream/speech/chinese/readings/context";
import { createDisambiguator, type PolyphoneWeights } from "~server/upstream/speech/chinese/readings/disambiguate";
import { readLexicon } from "~server/upstream/speech/chinese/readings/lexicon";
import { readCharacters } from "~server/upstream/speech/chinese/readings/read";
import { findInWordList, listWords } from "~server/upstream/speech/chinese/readings/word-list";
import { readSamples, type Sample, train } from "./polyphone-training";
import type { Row } from "./row";

const folds = 10;
const published = "97.31 % (g2pM on the test part)";
const names = {
  lexicon: "dev, lexicon alone",
  model: "dev, model alone, 10-fold cross-validated",
  unseen: "dev, 10-fold cross-validated, word list without entries of the sentence alone",
  characterLeftOut: "dev, the character left out of training, same word list",
  crossValidated: "dev, 10-fold cross-validated, whole word list (partly written from dev)",
  shipped: "dev, as shipped (learnt from it)",
  test: "test, as shipped (never seen)",
};
const references: Record<string, string> = {
  [names.unseen]: "≥ 98.3 %",
  [names.test]: published,
};

type Read = (sample: Sample) => string;

/**
 * Rows for the folder's development part and, if present, its test part. "Cross-validated" scores every sentence by
 * weights that were trained without it; "as shipped" scores the development part by weights trained on it. The word
 * list was written with part of the development errors in view. "Without entries of the sentence alone" estimates
 * unseen sentences: it ignores an entry that occurs in no other development sentence and that the lexicon does not
 * confirm, as it may have been written from this sentence. A character without training has the list and the lexicon.
 */
export async function benchPolyphones(folder: string): Promise<Row[]> {
  const samples = await readSamples(folder, "dev");
  const findWithoutOwn = createLeaveOneOut(samples);
  const models = trainFolds(samples);
  const rows = [
    toRow(names.lexicon, samples, ({ guess }) => guess),
    toRow(
      names.model,
      samples,
      crossValidate(models, () => null),
    ),
    toRow(names.unseen, samples, crossValidate(models, findWithoutOwn)),
    toRow(names.characterLeftOut, samples, ({ context, guess }) => findWithoutOwn(context) ?? guess),
    toRow(names.crossValidated, samples, crossValidate(models, findInWordList)),
    toRow(names.shipped, samples, readShipped),
  ];
  if (existsSync(join(folder, "test.sent"))) {
    rows.push(toRow(names.test, await readSamples(folder, "test"), readShipped));
  }
  return rows;
}

function toRow(name: string, samples: readonly Sample[], read: Read): Row {
  const right = samples.filter((sample) => read(sample) === sample.reading).length;
  return { name, value: (right / samples.length) * 100, unit: `% of ${samples.length}`, reference: references[name] };
}

function readShipped({ context }: Sample): string {
  return readCharacters(context.characters)[context.at] ?? "";
}

type FindListed = (context: Context) => string | null;

/** Weights of each fold, trained without its sentences. Duplicates of a sentence share a fold. */
function trainFolds(samples: readonly Sample[]): PolyphoneWeights[] {
  return Array.from({ length: folds }, (_, fold) => train(samples.filter((sample) => foldOf(sample) !== fold)));
}

function crossValidate(models: readonly PolyphoneWeights[], findListed: FindListed): Read {
  const choose = models.map((weights) => createDisambiguator(weights, findListed));
  return (sample) => choose[foldOf(sample)]?.(sample.context, sample.guess) ?? "";
}

const maxWordLength = 5;

/** The word list without the entries of which the sentence is the only evidence. */
function createLeaveOneOut(samples: readonly Sample[]): FindListed {
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

function* wordsAround({ characters, at }: Context): Generator<string> {
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

function foldOf({ context }: Sample): number {
  let hash = 2166136261;
  for (const character of context.characters) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return Math.floor(hash / 5) % folds;
}

async function main(folder: string | undefined) {
  if (!folder) throw new Error("Name the folder that holds dev.sent and dev.lb");
  for (const { name, value, unit } of await benchPolyphones(folder))
    console.log(`${value.toFixed(2)} ${unit}  ${name}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv[2]);
