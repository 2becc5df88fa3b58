import { setImmediate as nextTurn } from "node:timers/promises";
import type { HeardFile } from "../../speech/index";
import type { SpeechParts } from "../voices/ports";
import { activeFramesOf, enough, type Likeness } from "./likeness";
import type { PrintMatch, Prints } from "./prints";

/**
 * Shares of differing bits: re-encoded sounds stay below 0.2, other speakers and other texts of the same voice are above
 * 0.38. Between the two the verdict is unclear.
 */
export const sameBelow = 0.3;
const otherAbove = 0.36;
/** Active frames of 32 ms that the verdict "other" requires: three seconds of speech. */
const enoughFrames = 96;

export type Verdict = "ours" | "other" | "unclear";

export function judge(match: Pick<PrintMatch, "errorRate"> | null, activeFrames: number): Verdict {
  const errorRate = match?.errorRate ?? 1;
  if (errorRate <= sameBelow) return "ours";
  return errorRate >= otherAbove && activeFrames >= enoughFrames ? "other" : "unclear";
}

/** Of a sound below two seconds: its downloads are below 0.04, strangers' recordings cut to fit it above 0.31. */
const shortSameBelow = 0.2;
/** Active frames that the audible mark adds to a download: 10 to 14 were measured. */
const markFrames = 16;

/** Whether a heard sound is the one that its label names. A short one must be the whole of it. */
export function judgeLabelled(likeness: Likeness, heardFrames: number): Verdict {
  const { errorRate, frames } = likeness;
  if (frames >= enough || errorRate === 1) return errorRate < otherAbove ? "ours" : judge(likeness, heardFrames);
  const isWhole = heardFrames >= 0.9 * frames && heardFrames <= 1.1 * frames + markFrames;
  return isWhole && errorRate <= shortSameBelow ? "ours" : "unclear";
}

interface RecognitionParts {
  prints: Pick<Prints, "search">;
  speech: Pick<SpeechParts, "hearAltered">;
}

/** Ends the search before the call times out. */
const longestMs = 12_000;

/**
 * Whether this product spoke a sound, unchanged or with changed tempo or pitch. The verdict "other" requires that all changes
 * were tried.
 */
export function createRecognition({ prints, speech }: RecognitionParts) {
  return async (heard: HeardFile, signal: AbortSignal): Promise<{ verdict: Verdict; match: PrintMatch | null }> => {
    const activeFrames = activeFramesOf(heard);
    let best = await prints.search(heard);
    let verdict = judge(best, activeFrames);
    if (verdict === "ours" || activeFrames < enoughFrames) return { verdict, match: best };
    const lastAt = Date.now() + longestMs;
    for (const altered of await speech.hearAltered(heard.excerpt, signal)) {
      signal.throwIfAborted();
      if (Date.now() > lastAt) return { verdict: "unclear", match: best };
      // The embedded database blocks the event loop: let other requests run between two searches.
      await nextTurn();
      const match = await prints.search(altered);
      if (match && match.errorRate < (best?.errorRate ?? 1)) best = match;
      verdict = judge(best, activeFrames);
      if (verdict === "ours") break;
    }
    return { verdict, match: best };
  };
}
