import {
  createDisambiguator,
  type PolyphoneWeights,
  type ReadingChoice,
} from "~server/speech/chinese/readings/disambiguate";
import type { Outcome } from "./doubt-training";
import { readEveryday } from "./everyday-readings";
import { createLeaveOneOut, type Sample, train } from "./polyphone-training";

const folds = 10;

/**
 * Readings that the reader chooses for sentences that it has not seen: each by weights of a fold that were trained without
 * it, and without the entries of the word list that may have been written from it.
 */
export function findOutcomes(samples: readonly Sample[]): Outcome[] {
  const findListed = createLeaveOneOut(samples);
  const choose = trainFolds(samples).map((weights) => createDisambiguator(weights, findListed));
  return samples.map((sample) => {
    const fold = foldOf(sample);
    const choice = choose[fold]?.(sample.context, sample.guess) as ReadingChoice;
    return { choice, fold, isWrong: choice.reading !== sample.reading };
  });
}

/** The same for the everyday sentences, as if their words had not been listed for them. */
export function findEverydayOutcomes(samples: readonly Sample[], weights: PolyphoneWeights): Outcome[] {
  const choose = createDisambiguator(weights, createLeaveOneOut(samples));
  return readEveryday().map(({ context, guess, reading }) => {
    const choice = choose(context, guess);
    return { choice, fold: foldOf({ context }), isWrong: choice.reading !== reading };
  });
}

/** Weights of each fold, trained without its sentences. Duplicates of a sentence share a fold. */
const trainFolds = (samples: readonly Sample[]): PolyphoneWeights[] =>
  Array.from({ length: folds }, (_, fold) => train(samples.filter((sample) => foldOf(sample) !== fold)));

function foldOf({ context }: Pick<Sample, "context">): number {
  let hash = 2166136261;
  for (const character of context.characters) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return Math.floor(hash / 5) % folds;
}
