import { createHash } from "node:crypto";
import { lineKey } from "~server/contract/line-key";
import { type LineSound } from "~server/contract/line-key";
import { countCharacters } from "~server/contract/marks";
import type { Db } from "../../db/database";
import type { Owner } from "../../voices/ports";

export interface Cost {
  /** Characters that are to be paid. */
  costChar: number;
  /** Their lines, from 0. */
  changed: number[];
}

export const keyOfLine = (line: LineSound): string => createHash("sha256").update(lineKey(line)).digest("base64url");

/**
 * What these lines take: a line that sounds like one of a finished dub the account still has is paid, and so is the second
 * of two in one dub.
 */
export async function costOf(db: Db, owner: Owner, lines: LineSound[]): Promise<Cost> {
  const keys = lines.map(keyOfLine);
  const rows = await db
    .selectFrom("dub_line")
    .innerJoin("dub", "dub.id", "dub_line.dub_id")
    .select("line_key")
    .distinct()
    .where("dub.owner", "=", owner)
    .where("dub.status", "=", 2)
    .where("line_key", "in", keys)
    .execute();
  const paid = new Set(rows.map(({ line_key }) => line_key));
  const changed = lines.flatMap((_, number) => {
    const key = keys[number] as string;
    if (paid.has(key)) return [];
    paid.add(key);
    return [number];
  });
  const costChar = changed.reduce((sum, number) => sum + countCharacters(lines[number]?.content ?? ""), 0);
  return { costChar, changed };
}
