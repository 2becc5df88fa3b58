import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod/v4";
import { AppError } from "../errors";

/** Throws too-large for a longer body. */
export const limitBody = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError("too-large", "body is too large", { status: 413 });
    },
  });

/** Reads a request by the contract's schema. */
export type Parse = <T extends z.ZodType>(schema: T, value: unknown) => z.output<T>;

/** The query with text that PostgreSQL can store. */
export const readQuery = (c: Context): unknown => toStorable(c.req.query());

/** Throws text-empty or text-too-long for a `content` of the wrong length, bad-request for other faults. */
export function parseContent<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const issue = issues.find(({ path }) => path.at(-1) === "content");
  if (issue?.code === "too_small") throw new AppError("text-empty", "no text");
  if (issue?.code === "too_big") throw new AppError("text-too-long", "text is too long");
  return parse(schema, value);
}

/** The JSON body with text that PostgreSQL can store. Throws bad-request for malformed JSON, NUL, and deep nesting. */
export async function readJson(c: Context): Promise<unknown> {
  const body: unknown = await c.req.json().catch((cause) => {
    throw new AppError("bad-request", "body is not JSON", { status: 400, cause });
  });
  return toStorable(body);
}

const maxDepth = 32;

/** PostgreSQL stores no NUL in text, and neither NUL nor lone surrogates in JSON. */
function toStorable(value: unknown, depth = maxDepth): unknown {
  if (typeof value === "string") {
    if (value.includes("\0")) throw new AppError("bad-request", "NUL in a text", { status: 400 });
    return value.replace(/\p{Cs}/gu, "\uFFFD");
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) throw new AppError("bad-request", "nested too deeply", { status: 400 });
  if (Array.isArray(value)) return value.map((part) => toStorable(part, depth - 1));
  const entries = Object.entries(value).map(([key, part]) => [toStorable(key), toStorable(part, depth - 1)]);
  return Object.fromEntries(entries);
}

/** Throws bad-request with the names of the fields, never their values. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".")))];
  throw new AppError("bad-request", `malformed: ${fields.join(", ")}`, { status: 400, data: { fields } });
}
