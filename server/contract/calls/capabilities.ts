import { z } from "zod/v4";
import { flag, text } from "./tolerant";

/**
 * GET /capabilities, ours: what an upstream offers beyond the specification. One that does not answer it keeps the
 * specification alone: the site then calls none of the extensions and says nothing about the engine or the label.
 */
export const capabilities = z.object({
  /** Names of the extension calls it answers, as in the table of calls. */
  calls: z.array(z.string()).max(200),
  /** "embedded" where the built-in engine alone speaks; "" where it is not said. */
  engine: text(),
  /** Every sound file carries the AI-content label. */
  isLabelled: flag(),
});
export type Capabilities = z.output<typeof capabilities>;
