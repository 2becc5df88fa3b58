import { z } from "zod/v4";

/** An empty variable counts as unset, everywhere. */
const blankAsUnset = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);

/** Text that may be missing. */
export const optional = z.preprocess(blankAsUnset, z.string().trim().optional());
/** Text, or the fallback. */
export const text = (fallback: string) => z.preprocess(blankAsUnset, z.string().trim().default(fallback));
export const url = optional.refine((value) => value === undefined || URL.canParse(value), "is not a URL");
/** One of these words, or unset. */
export const choice = <const T extends [string, ...string[]]>(words: T) =>
  z.preprocess(blankAsUnset, z.enum(words).optional());
/** One of these words, or the fallback. */
export const choiceOr = <const T extends [string, ...string[]]>(fallback: T[number], words: T) =>
  z.preprocess((value) => blankAsUnset(value) ?? fallback, z.enum(words));
/** A whole number between these, or the fallback. */
export const count = (fallback: number, { min = 0, max = 1_000_000 } = {}) =>
  z.preprocess((value) => blankAsUnset(value) ?? fallback, z.coerce.number().int().min(min).max(max));

/** Separated by commas or spaces. */
export const list = (text: string | undefined): string[] => (text ?? "").split(/[\s,]+/).filter(Boolean);
