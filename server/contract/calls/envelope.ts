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

/**
 * Every answer of /api/v1 but a file's bytes. Beside a code other than 0, `data.reason` is an ErrorCode, or with code 1001
 * `quota` | `trial` | `tier`, with `need`, `left` and `limit` where they say something. `code` may come as a numeric
 * string, `msg` as `message`.
 */
export const envelope = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && !("msg" in value) && "message" in value
      ? { ...value, msg: value.message }
      : value,
  z.object({
    code: z.preprocess(
      (value) => (typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
      z.number().int(),
    ),
    data: z.unknown(),
    msg: text(),
  }),
);
