import { sql } from "kysely";
import type { DubChapter } from "~server/contract/calls/dubs";
import { fileAddressOf, fileIdOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import type { Owner } from "../../owner";
import type { Files } from "../../voices/ports";

/** Format of the column: the cover by its file's id. */
export interface ChapterColumn extends Omit<DubChapter, "coverPath"> {
  coverId: string | null;
}

const coverFormat = "webp";

/** The column's value. A cover that is not the owner's is left out: no book is stopped by a picture. */
export async function toChapterColumn(
  { db, files }: { db: Db; files: Pick<Files, "isOwn"> },
  owner: Owner,
  chapter: DubChapter | undefined,
): Promise<string | null> {
  if (!chapter) return null;
  const { coverPath = "", ...named } = chapter;
  const id = fileIdOf(coverPath);
  const coverId = id && (await files.isOwn(db, { id, owner, kind: "picture" })) ? id : null;
  return JSON.stringify({ ...named, coverId } satisfies ChapterColumn);
}

/** The chapter of a row as calls answer it. */
export function toChapter(column: unknown): DubChapter | null {
  if (!column) return null;
  const { coverId, ...named } = column as ChapterColumn;
  return { ...named, ...(coverId && { coverPath: fileAddressOf(coverId, coverFormat) }) };
}

const number = sql<number>`(chapter ->> 'number')::int`;

/** The newest finished dub of each chapter of a book, in their order. */
export const dubsOfBook = (db: Db, owner: Owner, bookId: string) =>
  db
    .selectFrom("dub")
    .innerJoin("rendition", "rendition.id", "dub.rendition_id")
    .distinctOn(number)
    .select(["dub.id", "title", "chapter", "downloads", "duration_ms"])
    .where("dub.owner", "=", owner)
    .where(sql`chapter ->> 'bookId'`, "=", bookId)
    .where("status", "=", 2)
    .where("is_take", "=", false)
    .orderBy(number)
    .orderBy("dub.created_at", "desc")
    .execute();
