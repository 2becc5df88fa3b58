import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { videoStyle } from "~server/contract/calls/videos";
import type { Db } from "../../db/database";
import type { Owner } from "../../owner";
import { allOf, contains, newestOf, orderOf, readPage, searchWords, shanghaiTime, toUuids } from "../../sql-fragments";
import { type ListParts, toTaskFields, videoProgress } from "../listing";

export type Video = CallData<"videoList">["list"][number];

const selected = (db: Db) =>
  db
    .selectFrom("video")
    .leftJoin("rendition", "rendition.id", "video.rendition_id")
    .select(["video.id", "source_kind", "source_id", "title", "size", "height", "format", "captions", "background"])
    .select(["srt", "missing", "video.status", "seg_done", "seg_total", "msg", "failed_at", "video.job_id"])
    .select(["play_url", "duration_ms", "style"])
    .select(sql<number>`jsonb_array_length(pages)`.as("pages"))
    .select(shanghaiTime("video.created_at").as("createdAt"));
type VideoRow = Awaited<ReturnType<ReturnType<typeof selected>["executeTakeFirstOrThrow"]>>;

const newestFirst = newestOf("video");

/** The owner's films, newest first. */
export async function listVideos(parts: ListParts, owner: Owner, query: CallRequest<"videoList">) {
  const { db } = parts;
  const ids = selectVideos(db, owner, query).select("id");
  const { list: rows, ...page } = await readPage(ids, newestFirst, query, (shown) =>
    selected(db).where("video.id", "in", shown).orderBy(orderOf(newestFirst)).execute(),
  );
  const list: Video[] = [];
  for (const row of rows) list.push(await toVideo(row, parts));
  return { list, ...page };
}

type Filter = Partial<Pick<CallRequest<"videoList">, "taskId" | "status" | "sourceId" | "keyword">>;

/** The owner's films of a list. */
export const selectVideos = (db: Db, owner: Owner, filter: Filter) =>
  db.selectFrom("video").where(matches(owner, filter));

function matches(owner: Owner, { taskId, status, sourceId, keyword = "" }: Filter) {
  const conditions = [sql<SqlBool>`owner = ${owner}`];
  if (taskId) conditions.push(sql<SqlBool>`id = any(${toUuids([taskId])}::uuid[])`);
  if (sourceId) conditions.push(sql<SqlBool>`source_id = ${sourceId}`);
  if (status) conditions.push(sql<SqlBool>`status = ${status}`);
  for (const word of searchWords(keyword)) conditions.push(contains(sql.ref("title"), word));
  return allOf(conditions);
}

export async function getVideo(parts: ListParts, id: string): Promise<Video> {
  return toVideo(await selected(parts.db).where("video.id", "=", id).executeTakeFirstOrThrow(), parts);
}

async function toVideo(row: VideoRow, parts: ListParts): Promise<Video> {
  const { size, format, captions, background } = row as Pick<Video, "size" | "format" | "captions" | "background">;
  return {
    ...(await toTaskFields(row, videoProgress(row), parts)),
    videoId: row.id,
    source: { kind: row.source_kind, id: row.source_id },
    title: row.title,
    size,
    height: row.height,
    format,
    captions,
    background,
    style: videoStyle.parse(row.style),
    pages: row.pages,
    videoUrl: row.play_url ?? "",
    srt: captions === "file" ? row.srt : "",
    missing: row.missing,
    duration: (row.duration_ms ?? 0) / 1000,
    createdAt: row.createdAt,
  };
}
