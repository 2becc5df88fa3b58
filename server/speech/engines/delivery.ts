import { SpeechError, type SpeechRequest } from "../engine";

/** Without 1, and coprime with the number of varied repetitions within a text, so that neighbours differ. */
const paces = [0.97, 1.03, 0.95, 1.05, 0.98] as const;

/** Factor of the pace at which a text is spoken that was spoken `repetition` times before: another delivery. */
export const paceOfRepetition = (repetition = 0): number =>
  repetition > 0 ? (paces[repetition % paces.length] as number) : 1;

/** Throws SpeechError 'text' for a request that a local engine does not speak. */
export function requireSpeech({ text, speed }: SpeechRequest, maxChars: number): void {
  const spoken = text.units.filter(({ kind }) => kind !== "pause");
  if (spoken.length === 0) throw new SpeechError("text", "The text contains no speech");
  if (spoken.length > 2 * maxChars) throw new SpeechError("text", `${spoken.length} units exceed the limit`);
  if (!(speed >= 0.5 && speed <= 2)) throw new SpeechError("text", `Speed ${speed} is outside 0.5–2`);
}
