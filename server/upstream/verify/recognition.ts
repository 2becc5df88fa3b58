import { setImmediate as nextTurn } from "node:timers/promises";
import type { HeardPrint, SpeechParts } from "../voices/ports";
import { activeFramesOf } from "./likeness";
import type { Match, Prints } from "./prints";
import { enoughFrames, judge, type Verdict } from "./verdict";

interface RecognitionParts {
  prints: Pick<Prints, "search">;
  speech: Pick<SpeechParts, "hearAltered">;
}

export interface Upload {
  bytes: Uint8Array;
  heard: HeardPrint;
}

interface Recognized {
  verdict: Verdict;
  match: Match | null;
}

/** Who waits for an answer gets "cannot tell" before the call's own time is over. */
const longestMs = 12_000;

/**
 * Whether a sound is one of ours, as it stands or as it was before somebody made it faster, slower, higher or lower. Nothing
 * is called another's before all of that was tried.
 */
export function createRecognition({ prints, speech }: RecognitionParts) {
  return async ({ bytes, heard }: Upload, signal: AbortSignal): Promise<Recognized> => {
    const activeFrames = activeFramesOf(heard);
    let best = await prints.search(heard);
    let verdict = judge(best, activeFrames);
    if (verdict === "ours" || activeFrames < enoughFrames) return { verdict, match: best };
    const lastAt = Date.now() + longestMs;
    for (const altered of await speech.hearAltered(bytes, signal)) {
      signal.throwIfAborted();
      if (Date.now() > lastAt) return { verdict: "unclear", match: best };
      // The embedded database answers without leaving the event loop: other requests come between two searches.
      await nextTurn();
      const match = await prints.search(altered);
      if (match && match.errorRate < (best?.errorRate ?? 1)) best = match;
      verdict = judge(best, activeFrames);
      if (verdict === "ours") break;
    }
    return { verdict, match: best };
  };
}
