/** Measures the accuracy for ambiguous characters: npx tsx tests/bench/polyphones.ts <folder of g2pM's CPP set> */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Choice, createDisambiguator, type PolyphoneWeights } from "~server/speech/chinese/readings/disambiguate";
import { doubtLimit, doubtOf, readCharacters } from "~server/speech/chinese/readings/read";
import shipped from "~server/speech/chinese/readings/weights.json" with { type: "json" };
import { findInWordList } from "~server/speech/chinese/readings/word-list";
import { type Outcome, trainDoubt } from "./doubt-training";
import { countHan, readEveryday } from "./everyday-readings";
import { createLeaveOneOut, readSamples, type Sample, train } from "./polyphone-training";
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
    toRow(names.characterLeftOut, samples, ({ context, guess, inWord }) => findWithoutOwn(context) ?? inWord ?? guess),
    toRow(names.crossValidated, samples, crossValidate(models, findInWordList)),
    toRow(names.shipped, samples, readShipped),
  ];
  rows.push(...measureDoubt(samples, models, findWithoutOwn));
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

type FindListed = ReturnType<typeof createLeaveOneOut>;

/** Weights of each fold, trained without its sentences. Duplicates of a sentence share a fold. */
function trainFolds(samples: readonly Sample[]): PolyphoneWeights[] {
  return Array.from({ length: folds }, (_, fold) => train(samples.filter((sample) => foldOf(sample) !== fold)));
}

type Choose = (sample: Pick<Sample, "context" | "guess">, fold: number) => Choice;

function createChoosers(models: readonly PolyphoneWeights[], findListed: FindListed): Choose {
  const choose = models.map((weights) => createDisambiguator(weights, findListed));
  return ({ context, guess }, fold) => {
    const choice = choose[fold]?.(context, guess);
    if (!choice) throw new Error(`no weights of fold ${fold}`);
    return choice;
  };
}

function crossValidate(models: readonly PolyphoneWeights[], findListed: FindListed): Read {
  const choose = createChoosers(models, findListed);
  return (sample) => choose(sample, foldOf(sample)).reading;
}

/** Readings that the reader chooses for sentences that it has not seen. */
export function findOutcomes(samples: readonly Sample[]): Outcome[] {
  return toOutcomes(samples, createChoosers(trainFolds(samples), createLeaveOneOut(samples)));
}

/** The same for the everyday sentences, as if their words had not been listed for them. */
export function findEverydayOutcomes(samples: readonly Sample[], weights: PolyphoneWeights): Outcome[] {
  const choose = createDisambiguator(weights, createLeaveOneOut(samples));
  return readEveryday().map(({ context, guess, reading }) => {
    const choice = choose(context, guess);
    return { choice, fold: foldOf({ context }), isWrong: choice.reading !== reading };
  });
}

const toOutcomes = (samples: readonly Sample[], choose: Choose): Outcome[] =>
  samples.map((sample) => {
    const fold = foldOf(sample);
    const choice = choose(sample, fold);
    return { choice, fold, isWrong: choice.reading !== sample.reading };
  });

/** Errors among the underlined characters, and the share of underlined ones in everyday text; each sentence trained neither model. */
function measureDoubt(samples: readonly Sample[], models: readonly PolyphoneWeights[], findListed: FindListed): Row[] {
  const dev = toOutcomes(samples, createChoosers(models, findListed));
  const everyday = findEverydayOutcomes(samples, shipped);
  const running = readEveryday().filter(({ isRunning }) => isRunning);
  const chooseShipped = createDisambiguator(shipped);
  const [inDev, inEveryday, underlined] = [
    { found: 0, all: 0 },
    { found: 0, all: 0 },
    { found: 0, all: 0 },
  ];
  for (let fold = 0; fold < folds; fold++) {
    const isOther = (one: Outcome) => one.fold !== fold;
    const doubt = trainDoubt(dev.filter(isOther), everyday.filter(isOther));
    const count = (into: { found: number; all: number }, choices: readonly Choice[]) => {
      into.all += choices.length;
      into.found += choices.filter((choice) => doubtOf(doubt, choice) > doubtLimit).length;
    };
    const errorsOf = (outcomes: readonly Outcome[]) =>
      outcomes.filter((one) => !isOther(one) && one.isWrong).map(({ choice }) => choice);
    count(inDev, errorsOf(dev));
    count(inEveryday, errorsOf(everyday));
    count(
      underlined,
      running.filter((one) => foldOf(one) === fold).map(({ context, guess }) => chooseShipped(context, guess)),
    );
  }
  const toShare = (name: string, found: number, all: number, reference: string): Row => ({
    name,
    value: (100 * found) / all,
    unit: `% of ${all}`,
    reference,
  });
  return [
    toShare("dev, unseen: errors among underlined characters", inDev.found, inDev.all, "≥ 90 %"),
    toShare("everyday, unseen: errors among underlined characters", inEveryday.found, inEveryday.all, "≥ 90 %"),
    toShare("everyday: characters underlined", underlined.found, countHan(), "≤ 4 %"),
  ];
}

function foldOf({ context }: Pick<Sample, "context">): number {
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
