import type { Context } from "hono";
import type { z } from "zod/v4";
import { AppError } from "../errors";

/** Reads what the caller sent by the contract's schema; throws bad-request naming the fields, never their values. */
export function parseQuery<T extends z.ZodType>(c: Context, schema: T): z.output<T> {
  return parse(schema, c.req.query());
}

/** The same where there is a text to speak: one of the wrong length is a business answer of its own, not a malformed call. */
export function parseContent<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const issue = issues.find(({ path }) => path.at(-1) === "content");
  if (issue?.code === "too_small") throw new AppError("text-empty", "no text");
  if (issue?.code === "too_big") throw new AppError("text-too-long", "text is too long");
  return parse(schema, value);
}

export function readJson(c: Context): Promise<unknown> {
  return c.req.json().catch((cause) => {
    throw new AppError("bad-request", "body is not JSON", { status: 400, cause });
  });
}

export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".")))];
  throw new AppError("bad-request", `malformed: ${fields.join(", ")}`, { status: 400, data: { fields } });
}
