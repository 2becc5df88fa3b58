import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import type { Queue } from "../../jobs/queue";
import type { Owner } from "../../voices/ports";
import { toUuids } from "./parts";
import { progressOf } from "./progress";

export type Dub = CallData<"dubList">["list"][number];
export type DubList = CallData<"dubList">;
type Line = Dub["lines"][number] & { audioId: string };
interface ListParts {
  db: Db;
  queue: Queue;
}

const shown = (db: Db) =>
  db
    .selectFrom("dub")
    .leftJoin("rendition", "rendition.id", "dub.rendition_id")
    .select([
      "dub.id",
      "title",
      "is_take",
      "dub.status",
      "seg_done",
      "seg_total",
      "cost_char",
      "msg",
      "failed_at",
      "job_id",
    ])
    .select(["play_url", "mp3_url", "wav_url", "timeline_url", "duration_ms"])
    .select(
      sql<string>`to_char(dub.created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS"+08:00"')`.as("at"),
    );
type Row = Awaited<ReturnType<ReturnType<typeof shown>["executeTakeFirstOrThrow"]>>;

/** The owner's, newest first; those made while writing only when asked for by id. */
export async function listDubs(
  parts: ListParts,
  owner: Owner,
  { page, pageSize, taskId, status, keyword }: CallRequest<"dubList">,
): Promise<DubList> {
  const { db } = parts;
  const conditions = [sql<SqlBool>`dub.owner = ${owner}`];
  if (taskId) conditions.push(sql<SqlBool>`dub.id = any(${toUuids([taskId])}::uuid[])`);
  else conditions.push(sql<SqlBool>`not dub.is_take`);
  if (status) conditions.push(sql<SqlBool>`dub.status = ${status}`);
  if (keyword) conditions.push(...matches(keyword));
  const wanted = sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
  const count = db.selectFrom("dub").select((eb) => eb.fn.countAll<string>().as("total"));
  const { total } = await count.where(wanted).executeTakeFirstOrThrow();
  const rows = await shown(db)
    .where(wanted)
    .orderBy("dub.created_at", "desc")
    .orderBy("dub.id")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { list: await toDubs(rows, parts), total: Number(total), page, pageSize };
}

export async function getDub(parts: ListParts, id: string): Promise<Dub> {
  const [dub] = await toDubs([await shown(parts.db).where("dub.id", "=", id).executeTakeFirstOrThrow()], parts);
  return dub as Dub;
}

/** Every word must occur in the title or a line; `%` and `_` are what they are. */
function matches(keyword: string) {
  const words = keyword.trim().split(/\s+/);
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  return patterns.map(
    (pattern) => sql<SqlBool>`(title ilike ${pattern}
      or exists (select 1 from dub_line where dub_id = dub.id and content ilike ${pattern}))`,
  );
}

/** With their roles as they are now, where the owner may still see them. */
const linesOf = (db: Db, ids: string[]) =>
  db
    .selectFrom("dub_line")
    .innerJoin("dub", "dub.id", "dub_line.dub_id")
    .leftJoin("role", (join) =>
      join
        .onRef("role.id", "=", "dub_line.role_id")
        .on((eb) => eb.or([eb("role.owner", "=", eb.ref("dub.owner")), eb("role.is_shown", "=", true)])),
    )
    .leftJoin("rendition", "rendition.id", "dub_line.rendition_id")
    .leftJoin("recording as tone", "tone.id", "dub_line.tone_id")
    .select([
      "dub_id",
      "dub_line.role_id",
      "content",
      "speed",
      "pitch",
      "volume",
      "genre",
      "ext",
      "tone.url as emotionPath",
    ])
    .select(["pause_after", "start_ms", "end_ms", "dub_line.status", "begins_ms", "overrun_ms", "segments"])
    .select(["role.name", "role.avatar_id", "role.portrait", "play_url", "timeline_url", "rendition.duration_ms"])
    .where("dub_id", "in", ids)
    .orderBy("dub_id")
    .orderBy("number")
    .execute();

function toLine(row: Awaited<ReturnType<typeof linesOf>>[number]): Line {
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
    name: row.name ?? "",
    avatar: portraitAddressOf(row.avatar_id),
    portrait: (row.portrait as Line["portrait"]) ?? null,
    status: row.status,
    segDone: 0,
    segTotal: row.segments,
    voiceUrl: row.play_url ?? "",
    timelineUrl: row.timeline_url ?? "",
    duration: (row.duration_ms ?? 0) / 1000,
    start: row.begins_ms === null ? -1 : row.begins_ms / 1000,
    overrunMs: row.overrun_ms,
  };
}

/** The dub's finished segments, told to its lines one after the other as they are made. */
function withSegments(lines: Line[], segDone: number): Line[] {
  let left = segDone;
  return lines.map((line) => {
    const { segTotal } = line;
    const done = line.status === 2 ? segTotal : Math.min(segTotal, Math.max(0, left));
    left -= segTotal;
    return { ...line, segDone: done, segTotal };
  });
}

const withoutSegments = (line: Line): Line => ({ ...line, segTotal: 0 });

async function toDubs(rows: Row[], { db, queue }: ListParts): Promise<Dub[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const lines = new Map(ids.map((id) => [id, [] as Line[]]));
  for (const row of await linesOf(db, ids)) lines.get(row.dub_id)?.push(toLine(row));
  const dubs: Dub[] = [];
  for (const row of rows) {
    const queuePos = row.status === 1 && row.job_id ? await queue.position(db, row.job_id) : 0;
    const own = lines.get(row.id) ?? [];
    dubs.push({
      ...toDub(row),
      lines: row.status === 1 ? withSegments(own, row.seg_done) : own.map(withoutSegments),
      queuePos,
    });
  }
  return dubs;
}

function toDub(row: Row): Omit<Dub, "lines" | "queuePos"> {
  const { id, status, mp3_url: mp3, wav_url: wav, msg } = row;
  return {
    dubbId: id,
    taskId: id,
    title: row.title,
    isTake: row.is_take,
    status,
    progress: progressOf(row),
    segDone: row.seg_done,
    segTotal: row.seg_total,
    msg: msg ?? "",
    ...(msg !== null && { reason: msg }),
    ...(row.failed_at !== null && { failedAt: row.failed_at }),
    voiceUrl: row.play_url ?? "",
    timelineUrl: row.timeline_url ?? "",
    downloads: mp3 && wav ? { mp3, wav } : null,
    srtUrl: status === 2 ? `/api/v1/dubbing/export?dubbId=${id}&format=srt` : "",
    duration: (row.duration_ms ?? 0) / 1000,
    costChar: row.cost_char,
    createdAt: row.at,
  };
}
