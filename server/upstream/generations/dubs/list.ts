import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import type { Owner } from "../../owner";
import { allOf, contains, newestOf, orderOf, readPage, searchWords, shanghaiTime, toUuids } from "../../sql-fragments";
import { dubProgress, type ListParts, soundColumns, toDoubts, toSoundFields, toTaskFields } from "../listing";
import { toChapter } from "./chapters";
import { toMusic } from "./music";
import type { SpokenLine } from "./subtitles/cues";

export type Dub = CallData<"dubList">["list"][number];
export type DubList = CallData<"dubList">;
type ListedLine = Dub["lines"][number] & { audioId: string };

const selected = (db: Db) =>
  db
    .selectFrom("dub")
    .leftJoin("rendition", "rendition.id", "dub.rendition_id")
    .select(["dub.id", "title", "is_take", "version_of", "music", "chapter", "cost_char"])
    .select(["dub.status", "seg_done", "seg_total", "msg", "failed_at", "job_id", ...soundColumns])
    .select(shanghaiTime("dub.created_at").as("createdAt"));
type DubRow = Awaited<ReturnType<ReturnType<typeof selected>["executeTakeFirstOrThrow"]>>;

const newestFirst = newestOf("dub");

/** The owner's dubs, newest first; takes only when requested by id. */
export async function listDubs(parts: ListParts, owner: Owner, query: CallRequest<"dubList">): Promise<DubList> {
  const { db } = parts;
  const ids = selectDubs(db, owner, query).select("id");
  const { list: rows, ...page } = await readPage(ids, newestFirst, query, (shown) =>
    selected(db).where("dub.id", "in", shown).orderBy(orderOf(newestFirst)).execute(),
  );
  return { list: await toDubs(rows, parts), ...page };
}

type Filter = Partial<Pick<CallRequest<"dubList">, "taskId" | "status" | "keyword">>;

/** The owner's dubs of a list. */
export const selectDubs = (db: Db, owner: Owner, filter: Filter) => db.selectFrom("dub").where(matches(owner, filter));

/**
 * Every word must occur in the title or in a line. The lines are asked for by `bool_or`: the planner may turn `exists`
 * into one reading of all accounts' lines (250,000 lines: 320 ms).
 */
function matches(owner: Owner, { taskId, status, keyword = "" }: Filter) {
  const conditions = [sql<SqlBool>`owner = ${owner}`];
  if (taskId) conditions.push(sql<SqlBool>`id = any(${toUuids([taskId])}::uuid[])`);
  else conditions.push(sql<SqlBool>`not is_take`);
  if (status) conditions.push(sql<SqlBool>`status = ${status}`);
  for (const word of searchWords(keyword))
    conditions.push(sql<SqlBool>`(${contains(sql.ref("title"), word)}
      or (select bool_or(${contains(sql.ref("content"), word)}) from dub_line where dub_id = dub.id))`);
  return allOf(conditions);
}

export async function getDub(parts: ListParts, id: string): Promise<Dub> {
  const [dub] = await toDubs([await selected(parts.db).where("dub.id", "=", id).executeTakeFirstOrThrow()], parts);
  return dub as Dub;
}

/** Lines with their renditions, and with the present roles where their owner or the square shows them. */
export const joinedLines = (db: Db) =>
  db
    .selectFrom("dub_line")
    .innerJoin("dub", "dub.id", "dub_line.dub_id")
    .leftJoin("role", (join) =>
      join
        .onRef("role.id", "=", "dub_line.role_id")
        .on((eb) => eb.or([eb("role.owner", "=", eb.ref("dub.owner")), eb("role.is_shown", "=", true)])),
    )
    .leftJoin("rendition", "rendition.id", "dub_line.rendition_id");

const linesOf = (db: Db, ids: string[]) =>
  joinedLines(db)
    .leftJoin("recording as tone", "tone.id", "dub_line.tone_id")
    .select(["dub_id", "dub_line.role_id", "content", "speed", "pitch", "volume", "genre", "ext"])
    .select(["pause_after", "start_ms", "end_ms", "speed_up_max", "begins_ms", "overrun_ms"])
    .select(["dub_line.status", "segments"])
    .select(["tone.url as emotionPath", "role.name", "role.avatar_id", "role.portrait"])
    .select(["play_url", "timeline_url", "rendition.duration_ms", "rendition.doubts"])
    .where("dub_id", "in", ids)
    .orderBy("dub_id")
    .orderBy("number")
    .execute();

function toLine(row: Awaited<ReturnType<typeof linesOf>>[number]): ListedLine {
  return {
    roleId: row.role_id,
    audioId: row.role_id,
    content: row.content,
    speed: row.speed,
    ...(row.pitch !== null && { pitch: row.pitch }),
    ...(row.volume !== null && { volume: row.volume }),
    genre: row.genre,
    ...(row.ext ? { ext: row.ext as Record<string, number> } : {}),
    emotionPath: row.emotionPath ?? "",
    pauseAfter: row.pause_after,
    ...(row.start_ms !== null && { startMs: row.start_ms }),
    ...(row.end_ms !== null && { endMs: row.end_ms }),
    ...(row.speed_up_max !== null && { speedUpMax: row.speed_up_max }),
    name: row.name ?? "",
    avatar: portraitAddressOf(row.avatar_id),
    portrait: (row.portrait as ListedLine["portrait"]) ?? null,
    status: row.status,
    segDone: 0,
    segTotal: row.segments,
    voiceUrl: row.play_url ?? "",
    timelineUrl: row.timeline_url ?? "",
    duration: (row.duration_ms ?? 0) / 1000,
    start: row.begins_ms === null ? -1 : row.begins_ms / 1000,
    overrunMs: row.overrun_ms,
    ...toDoubts(row.doubts),
  };
}

/** Distributes the dub's finished segments over its lines, in order. */
function withSegments(lines: ListedLine[], segDone: number): ListedLine[] {
  let left = segDone;
  return lines.map((line) => {
    const { segTotal } = line;
    const done = line.status === 2 ? segTotal : Math.min(segTotal, Math.max(0, left));
    left -= segTotal;
    return { ...line, segDone: done };
  });
}

async function toDubs(rows: DubRow[], parts: ListParts): Promise<Dub[]> {
  if (rows.length === 0) return [];
  const lines = new Map(rows.map(({ id }) => [id, [] as ListedLine[]]));
  for (const row of await linesOf(parts.db, [...lines.keys()])) lines.get(row.dub_id)?.push(toLine(row));
  const dubs: Dub[] = [];
  for (const row of rows) {
    const { id, status } = row;
    const own = lines.get(id) ?? [];
    dubs.push({
      ...(await toTaskFields(row, dubProgress(row), parts)),
      ...toSoundFields(row),
      dubbId: id,
      title: row.title,
      isTake: row.is_take,
      versionOf: row.version_of ?? id,
      music: toMusic(row.music),
      chapter: toChapter(row.chapter),
      lines: status === 1 ? withSegments(own, row.seg_done) : own.map((line) => ({ ...line, segTotal: 0 })),
      srtUrl: status === 2 ? `/api/v1/dubbing/export?dubbId=${id}&format=srt` : "",
      costChar: row.cost_char,
      createdAt: row.createdAt,
    });
  }
  return dubs;
}

export type DoneDub = NonNullable<Awaited<ReturnType<typeof findDone>>>;

/** The owner's finished dub with its sound and its lines in order; undefined for any other. */
export async function findDone(db: Db, owner: Owner, dubId: string) {
  const [id] = toUuids([dubId]);
  const dub = await db
    .selectFrom("dub")
    .innerJoin("rendition", "rendition.id", "dub.rendition_id")
    .select(["dub.id", "title", "chapter", "music", "play_url", "downloads", "timeline_url", "duration_ms"])
    .where("dub.id", "=", id ?? null)
    .where("dub.owner", "=", owner)
    .where("dub.status", "=", 2)
    .executeTakeFirst();
  if (!dub) return undefined;
  const lines = await joinedLines(db)
    .select(["number", "content", "begins_ms", "overrun_ms", "start_ms", "end_ms", "dub_line.role_id"])
    .select(["role.name", "role.portrait", "role.avatar_id", "duration_ms", "downloads"])
    .where("dub_id", "=", dub.id)
    .orderBy("number")
    .execute();
  return { ...dub, lines };
}

export const toSpokenLine = (line: DoneDub["lines"][number]): SpokenLine => ({
  content: line.content,
  name: line.name ?? "",
  beginsMs: line.begins_ms ?? 0,
  durationMs: line.duration_ms ?? 0,
  startMs: line.start_ms,
  endMs: line.end_ms,
  overrunMs: line.overrun_ms,
});
