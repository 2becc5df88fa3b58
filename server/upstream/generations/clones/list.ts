import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import type { Queue } from "../../jobs/queue";
import type { Owner } from "../../voices/ports";
import { progressOf } from "./progress";

export type Clone = CallData<"cloneList">["list"][number];
export type CloneList = CallData<"cloneList">;

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Of those ids, the ones that can be a clone's. */
export const toUuids = (ids: string[]): string[] => [...new Set(ids.filter(isUuid))];

/** With their roles as they are now, where the owner may still see them. */
const clones = (db: Db) =>
  db
    .selectFrom("clone")
    .leftJoin("role", (join) =>
      join
        .onRef("role.id", "=", "clone.role_id")
        .on((eb) => eb.or([eb("role.owner", "=", eb.ref("clone.owner")), eb("role.is_shown", "=", true)])),
    )
    .leftJoin("recording", "recording.id", "clone.recording_id")
    .leftJoin("recording as tone", "tone.id", "clone.tone_id")
    .leftJoin("rendition", "rendition.id", "clone.rendition_id");

const columns = [
  "clone.id",
  "content",
  "role_id",
  "recording.url as voicePath",
  "style",
  "speed",
  "pitch",
  "volume",
  "genre",
  "ext",
  "tone.url as emotionPath",
  "characters",
  "clone.status",
  "seg_done",
  "seg_total",
  "msg",
  "failed_at",
  "clone.job_id",
  "avatar_id",
  "portrait",
  "play_url",
  "mp3_url",
  "wav_url",
  "timeline_url",
  "rendition.duration_ms",
] as const;

const shown = (db: Db) =>
  clones(db)
    .select(columns)
    .select(sql<string>`coalesce(role.name, recording.name, '')`.as("name"))
    .select(
      sql<string>`to_char(clone.created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS"+08:00"')`.as("at"),
    );

type Row = Awaited<ReturnType<ReturnType<typeof shown>["executeTakeFirstOrThrow"]>>;

/** The owner's, newest first. */
export async function listClones(
  { db, queue }: { db: Db; queue: Queue },
  owner: Owner,
  { page, pageSize, taskId, status, keyword }: CallRequest<"cloneList">,
): Promise<CloneList> {
  const conditions = [sql<SqlBool>`clone.owner = ${owner}`];
  if (taskId) conditions.push(sql<SqlBool>`clone.id = any(${toUuids([taskId])}::uuid[])`);
  if (status) conditions.push(sql<SqlBool>`clone.status = ${status}`);
  if (keyword) conditions.push(...matches(keyword));
  const wanted = sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
  const count = clones(db).select((eb) => eb.fn.countAll<string>().as("total"));
  const { total } = await count.where(wanted).executeTakeFirstOrThrow();
  const rows = await shown(db)
    .where(wanted)
    .orderBy("clone.created_at", "desc")
    .orderBy("clone.id")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const list: Clone[] = [];
  for (const row of rows) list.push(await toClone(row, { db, queue }));
  return { list, total: Number(total), page, pageSize };
}

export async function getClone(parts: { db: Db; queue: Queue }, id: string): Promise<Clone> {
  return toClone(await shown(parts.db).where("clone.id", "=", id).executeTakeFirstOrThrow(), parts);
}

/** Every word must occur in the text or the voice's name; `%` and `_` are what they are. */
function matches(keyword: string) {
  const words = keyword.trim().split(/\s+/);
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  return patterns.map(
    (pattern) =>
      sql<SqlBool>`(content ilike ${pattern} or role.name ilike ${pattern} or recording.name ilike ${pattern})`,
  );
}

async function toClone(row: Row, { db, queue }: { db: Db; queue: Queue }): Promise<Clone> {
  const { id, content, style, genre, name, status, mp3_url: mp3, wav_url: wav, msg } = row;
  const roleId = row.role_id ?? "";
  return {
    voiceId: id,
    taskId: id,
    content,
    roleId,
    audioId: roleId,
    portrait: row.portrait as Clone["portrait"],
    name,
    avatar: portraitAddressOf(row.avatar_id),
    voicePath: row.voicePath ?? "",
    style,
    speed: row.speed,
    ...(row.pitch !== null && { pitch: row.pitch }),
    ...(row.volume !== null && { volume: row.volume }),
    genre,
    ...(row.ext && { ext: row.ext }),
    emotionPath: row.emotionPath ?? "",
    status,
    progress: progressOf(row),
    segDone: row.seg_done,
    segTotal: row.seg_total,
    queuePos: status === 1 && row.job_id ? await queue.position(db, row.job_id) : 0,
    msg: msg ?? "",
    ...(msg !== null && { reason: msg }),
    ...(row.failed_at !== null && { failedAt: row.failed_at }),
    voiceUrl: row.play_url ?? "",
    timelineUrl: row.timeline_url ?? "",
    downloads: mp3 && wav ? { mp3, wav } : null,
    duration: (row.duration_ms ?? 0) / 1000,
    costChar: row.characters,
    createdAt: row.at,
  };
}
