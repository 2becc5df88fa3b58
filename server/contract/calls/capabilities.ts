import { z } from "zod/v4";
import { flag, numberOr, text } from "./tolerant";

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

/**
 * GET /exact-voice, ours, in demo mode: the cloner that a person may install on this machine. `queued` waits for another
 * installation, `failed` names its fault and waits for the next press.
 */
export const exactVoice = z.object({
  state: z.enum(["absent", "queued", "arriving", "trying", "failed", "speaking"]).catch("absent"),
  /** Bytes. */
  received: numberOr(0),
  total: numberOr(0),
  bytesPerSecond: numberOr(0),
  /** An account asked for it, and POST /exact-voice/cancel ends it. */
  isCancellable: flag(),
  /** `silent`: it is there and does not speak. */
  fault: z.enum(["room", "download", "busy", "runtime", "silent", "other"]).nullable().catch(null),
  title: text(),
  /** As its publishers word it. */
  licence: text(),
  mayBeSold: z.enum(["yes", "no", "unclear"]).catch("unclear"),
  /** The page of model and licence. */
  about: text(),
});

/** POST /exact-voice/install. */
export const exactVoiceRequest = z.object({
  /** The person has seen the licence and accepts it. */
  isAccepted: z.literal(true),
});

/**
 * GET /capabilities, ours: what an upstream offers beyond the specification. One that does not answer it keeps the
 * specification alone: the site then calls none of the extensions and says nothing about the engine or the label.
 */
export const capabilities = z.object({
  /** Names of the extension calls it answers, as in the table of calls. */
  calls: z.array(z.string()).max(200),
  /** Speaks cloned voices: "embedded" (built in), "kokoro" (near to the person) or another; "" if it is not said. */
  engine: text(),
  /** Every sound file carries the AI-content label. */
  isLabelled: flag(),
  /** Companies that recordings are sent to, with their speakers' consent: "dashscope", "minimax-abroad". */
  vendors: z.array(z.string().max(40)).max(20).catch([]),
});
export type Capabilities = z.output<typeof capabilities>;
