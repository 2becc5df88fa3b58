import { z } from "zod/v4";

/** Text that may be missing; an empty variable counts as unset. */
export const optional = z.preprocess((value) => (value === "" ? undefined : value), z.string().trim().optional());
export const url = optional.refine((value) => value === undefined || URL.canParse(value), "is not a URL");
/** One of these words, or unset. */
export const choice = <const T extends [string, ...string[]]>(words: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), z.enum(words).optional());
/** A whole number between these, or the fallback. */
export const count = (fallback: number, { min = 0, max = 1_000_000 } = {}) =>
  z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.coerce.number().int().min(min).max(max).default(fallback),
  );

/** Separated by commas or spaces. */
export const list = (text: string | undefined): string[] => (text ?? "").split(/[\s,]+/).filter(Boolean);
