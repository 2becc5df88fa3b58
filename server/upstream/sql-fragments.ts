import { type SqlBool, sql } from "kysely";

/** RFC 3339 with +08:00; null for a null column. */
export const shanghaiTime = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS"+08:00"')`;

/** `ilike` patterns, one per word of a search; `%`, `_` and `\` are literal. */
export const searchPatterns = (keyword: string): string[] =>
  keyword
    .trim()
    .split(/\s+/)
    .map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);

/** All of them; at least one is required. */
export const allOf = (conditions: Array<ReturnType<typeof sql<SqlBool>>>) =>
  sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
