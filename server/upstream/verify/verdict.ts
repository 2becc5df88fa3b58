import type { Match } from "./prints";

/**
 * Shares of differing bits, measured by tests/bench/recognition.ts: what was re-encoded stays below 0.2, strangers and the
 * same voice saying something else above 0.38. Between the two nobody can tell.
 */
export const sameBelow = 0.3;
export const otherAbove = 0.36;
/** Active frames of 32 ms a sound must have before it can be called none of ours: three seconds of speech. */
export const enoughFrames = 96;

export type Verdict = "ours" | "other" | "unclear";

/** What a search says of a sound. */
export function judge(match: Match | null, activeFrames: number): Verdict {
  const errorRate = match?.errorRate ?? 1;
  if (errorRate <= sameBelow) return "ours";
  return errorRate >= otherAbove && activeFrames >= enoughFrames ? "other" : "unclear";
}
