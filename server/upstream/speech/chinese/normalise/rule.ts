/** What a part of a match is read as, and the group it is written in (the whole match where none is named). */
export type Said = readonly [spoken: string, group?: string];

/** A way of writing something that is not read character by character. Patterns are sticky; null lets the next rule try. */
export interface Rule {
  pattern: RegExp;
  read(groups: Record<string, string | undefined>): readonly Said[] | null;
}

/** The groups of the pattern must be read in the order they are written, so that offsets only grow. */
export function rule(pattern: RegExp, read: Rule["read"]): Rule {
  return { pattern: new RegExp(pattern.source, "dyu"), read };
}
