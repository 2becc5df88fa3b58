import { sql } from "kysely";
import type { CallRequest } from "~server/contract/calls/table";
import { fileIdOf } from "~server/contract/file-address";
import { unusedUploadDays } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { Owner } from "../../owner";
import type { Files } from "../../voices/ports";

type PicturedRequest = Pick<CallRequest<"videoCreate">, "style" | "pages">;

/** Throws picture-missing unless every picture that is named is one that the owner uploaded for films. */
export async function requirePictures(
  db: Db,
  owner: Owner,
  { style, pages }: Pick<PicturedRequest, "style"> & Partial<PicturedRequest>,
): Promise<void> {
  const paths = [style.picturePath, style.logoPath, ...(pages ?? []).map(({ picturePath }) => picturePath)];
  const named = [...new Set(paths.filter((path) => path !== ""))].map(fileIdOf);
  const ids = named.filter((id) => id !== null);
  if (named.length === 0) return;
  const own = await db
    .selectFrom("media_file")
    .select("id")
    .where("owner", "=", owner)
    .where("kind", "=", "picture")
    .where("expires_at", "is", null)
    .where("id", "in", ids.length > 0 ? ids : [""])
    .execute();
  if (own.length < named.length) throw new AppError("picture-missing", "a picture is not the caller's");
}

const uploadAge = sql`make_interval(days => ${unusedUploadDays}::int)`;

/** Makes pictures unreadable that no film and no template has named for `unusedUploadDays`, and that are no book's cover. */
export async function expireUnusedPictures(db: Db, files: Pick<Files, "expire">): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from media_file where kind = 'picture' and created_at < now() - ${uploadAge} and expires_at is null
    and not exists (select 1 from video where video.owner = media_file.owner
      and position(media_file.id in video.style::text || video.pages::text) > 0
      and video.created_at > now() - ${uploadAge})
    and not exists (select 1 from video_template where account_id = case when media_file.owner like 'account:%' then substr(media_file.owner, 9)::uuid end
      and position(media_file.id in choices::text) > 0)
    and not exists (select 1 from dub where dub.owner = media_file.owner and chapter ->> 'coverId' = media_file.id)`.execute(
    db,
  );
  await files.expire(
    db,
    rows.map(({ id }) => id),
  );
}
