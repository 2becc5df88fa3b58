import { z } from "zod/v4";
import { flag, numberOr } from "./tolerant";

/**
 * GET /natural-voice, ours, in demo mode: the model that the product fetches by itself. `arriving` and `trying` are an
 * installation under way, `waiting` one that failed and is tried again, `speaking` and `none` need no notice.
 */
export const naturalVoice = z.object({
  state: z.enum(["arriving", "trying", "waiting", "speaking", "none"]).catch("none"),
  /** Bytes. */
  received: numberOr(0),
  total: numberOr(0),
  bytesPerSecond: numberOr(0),
  /** It came unasked: POST /natural-voice/cancel ends it. */
  isCancellable: flag(),
});
