import { z } from "zod/v4";
import { text } from "./tolerant";

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
