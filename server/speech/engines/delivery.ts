/** Without 1, and coprime with the number of varied repetitions within a text, so that neighbours differ. */
const paces = [0.97, 1.03, 0.95, 1.05, 0.98] as const;

/** Factor of the pace at which a text is spoken that was spoken `repetition` times before: another delivery. */
export const paceOfRepetition = (repetition = 0): number =>
  repetition > 0 ? (paces[repetition % paces.length] as number) : 1;
