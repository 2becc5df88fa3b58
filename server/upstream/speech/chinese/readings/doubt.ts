import type { Choice } from "./disambiguate";

/** Parameters of the logistic model of wrong readings. */
export interface DoubtModel {
  /** The intercept and one weight for each feature. */
  weights: readonly number[];
  /** Log odds of a wrong reading by character, and of all others; measured by cross-validation. */
  characters: Readonly<Record<string, number>>;
  other: number;
}

/**
 * Above this probability of a wrong reading a character is underlined. Measured on unseen sentences: about 4 % of the
 * characters of running text, with five sixths of the errors among them.
 */
export const doubtLimit = 0.0175;

/** The probability that a reading is wrong. */
export function doubtOf(model: DoubtModel, choice: Choice): number {
  const [intercept = 0, ...weights] = model.weights;
  const rate = model.characters[choice.character] ?? model.other;
  const features = doubtFeatures(choice, rate);
  return 1 / (1 + Math.exp(-features.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), intercept)));
}

/** What tells a wrong reading; `rate` holds the log odds of a wrong reading of the character. Training shares it. */
export function doubtFeatures(choice: Choice, rate: number): number[] {
  const { probability, share, majority, isListed, isLexical, isAlone } = choice;
  const sure = logOdds(probability, 0.001);
  const usual = logOdds(share, 0.02);
  const listed = isListed ? 1 : 0;
  return [
    sure,
    sure * sure,
    listed,
    listed * sure,
    isLexical ? 1 : 0,
    isAlone ? 1 : 0,
    usual,
    usual * usual,
    logOdds(majority, 0.02),
    rate,
    rate * sure,
  ];
}

export function logOdds(probability: number, least: number): number {
  const bounded = Math.min(1 - least, Math.max(least, probability));
  return Math.log(bounded / (1 - bounded));
}
