import type { ReadingChoice } from "~server/speech/chinese/readings/disambiguate";
import { type DoubtModel, doubtFeatures, logOdds } from "~server/speech/chinese/readings/read";

/** A reading that was chosen by weights trained without its sentence. */
export interface Outcome {
  choice: ReadingChoice;
  isWrong: boolean;
  fold: number;
}

/** Errors of an average character that are added to those of each. */
const prior = 3;
const decay = 3;
const passes = 30;

/** Times that an everyday outcome counts: the data set is of another register. */
const everydayWeight = 3;

/** Trains the probability of a wrong reading by Newton's method; an outcome never counts for its own character's rate. */
export function trainDoubt(dev: readonly Outcome[], everyday: readonly Outcome[]): DoubtModel {
  const outcomes = [...dev, ...Array.from({ length: everydayWeight }, () => everyday).flat()];
  const folds = [...new Set(outcomes.map(({ fold }) => fold))];
  const rates = new Map(folds.map((fold) => [fold, ratesOf(outcomes.filter((one) => one.fold !== fold))]));
  const rows = outcomes.map(({ choice, fold }) => {
    const { characters, other } = rates.get(fold) ?? { characters: {}, other: 0 };
    return doubtFeatures(choice, characters[choice.character] ?? other);
  });
  const wrong = outcomes.map(({ isWrong }) => (isWrong ? 1 : 0));
  return { weights: fitLogistic(rows, wrong).map((weight) => Math.round(weight * 1e4) / 1e4), ...ratesOf(outcomes) };
}

function ratesOf(outcomes: readonly Outcome[]): Pick<DoubtModel, "characters" | "other"> {
  const average = outcomes.filter(({ isWrong }) => isWrong).length / outcomes.length;
  const counts = new Map<string, { wrong: number; all: number }>();
  for (const { choice, isWrong } of outcomes) {
    const own = counts.get(choice.character) ?? { wrong: 0, all: 0 };
    counts.set(choice.character, { wrong: own.wrong + (isWrong ? 1 : 0), all: own.all + 1 });
  }
  const rate = (wrong: number, all: number) =>
    Math.round(100 * logOdds((wrong + prior * average) / (all + prior), 1e-4)) / 100;
  const characters = Object.fromEntries([...counts].sort().map(([one, { wrong, all }]) => [one, rate(wrong, all)]));
  return { characters, other: rate(0, 0) };
}

/** The intercept and the weights of the features. */
function fitLogistic(rows: readonly number[][], wrong: readonly number[]): number[] {
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, i) => rows.map((row) => row[i] as number));
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / rows.length);
  const spreads = columns.map((column, i) =>
    Math.sqrt(column.reduce((sum, value) => sum + (value - (means[i] as number)) ** 2, 1e-9) / rows.length),
  );
  const inputs = rows.map((row) => [
    1,
    ...row.map((value, i) => (value - (means[i] as number)) / (spreads[i] as number)),
  ]);
  let weights = new Array<number>(width + 1).fill(0);
  for (let pass = 0; pass < passes; pass++) weights = newtonStep(inputs, wrong, weights);
  const [intercept = 0, ...scaled] = weights;
  const raw = scaled.map((weight, i) => weight / (spreads[i] as number));
  return [raw.reduce((sum, weight, i) => sum - weight * (means[i] as number), intercept), ...raw];
}

function newtonStep(inputs: readonly number[][], wrong: readonly number[], weights: readonly number[]): number[] {
  const size = weights.length;
  const slope = weights.map((weight, i) => (i === 0 ? 0 : decay * weight));
  const matrix = slope.map((_, i) => slope.map((_value, j) => (i === j && i > 0 ? decay : i === j ? 1e-6 : 0)));
  for (const [at, input] of inputs.entries()) {
    const odds = input.reduce((sum, value, i) => sum + value * (weights[i] as number), 0);
    const probability = 1 / (1 + Math.exp(-odds));
    const bend = probability * (1 - probability);
    for (let i = 0; i < size; i++) {
      const row = matrix[i] as number[];
      slope[i] = (slope[i] as number) + (probability - (wrong[at] as number)) * (input[i] as number);
      for (let j = 0; j < size; j++) row[j] = (row[j] as number) + bend * (input[i] as number) * (input[j] as number);
    }
  }
  const step = solve(matrix, slope);
  return weights.map((weight, i) => weight - (step[i] as number));
}

/** Solves a symmetric positive system by elimination. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] as number]);
  for (const [at, pivot] of rows.entries()) {
    const scale = pivot[at] as number;
    for (let j = at; j < pivot.length; j++) pivot[j] = (pivot[j] as number) / scale;
    for (const row of rows) {
      const factor = row === pivot ? 0 : (row[at] as number);
      if (factor !== 0)
        for (let j = at; j < row.length; j++) row[j] = (row[j] as number) - factor * (pivot[j] as number);
    }
  }
  return rows.map((row) => row.at(-1) as number);
}
