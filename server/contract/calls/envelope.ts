import { z } from "zod";
import { numberOr, optional, text } from "./tolerant";

/** Every answer of /api/v1 but a file's bytes. `code` may come as a numeric string, `msg` as `message`. */
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

/** `data` beside a non-zero code. `reason`: an ErrorCode, or with code 1001 `quota` | `trial` | `tier`. */
export const refusalData = z.object({
  reason: optional(z.string()),
  need: optional(numberOr(0)),
  left: optional(numberOr(0)),
  limit: optional(numberOr(0)),
});
