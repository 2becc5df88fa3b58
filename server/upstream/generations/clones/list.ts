import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import { toUuids } from "../../ids";
import type { Owner } from "../../owner";
import { allOf, searchPatterns, shanghaiTime } from "../../sql-fragments";
import { cloneProgress, type ListParts, soundColumns, toSoundFields, toTaskFields } from "../listing";

export type Clone = CallData<"cloneList">["list"][number];
export type CloneList = CallData<"cloneList">;

/** With the present role where its owner or the square shows it. */
const joined = (db: Db) =>
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

const selected = (db: Db) =>
  joined(db)
    .select(["clone.id", "content", "role_id", "style", "speed", "pitch", "volume", "genre", "ext", "characters"])
    .select(["clone.status", "seg_done", "seg_total", "msg", "failed_at", "clone.job_id", "avatar_id", "portrait"])
    .select([
      "recording.url as voicePath",
      "tone.url as emotionPath",
      ...soundColumns.map((name) => `rendition.${name}` as const),
    ])
    .select(sql<string>`coalesce(role.name, recording.name, '')`.as("name"))
    .select(shanghaiTime("clone.created_at").as("createdAt"));

type Row = Awaited<ReturnType<ReturnType<typeof selected>["executeTakeFirstOrThrow"]>>;

/** The owner's clones, newest first. */
export async function listClones(
  parts: ListParts,
  owner: Owner,
  { page, pageSize, taskId, status, keyword }: CallRequest<"cloneList">,
): Promise<CloneList> {
  const conditions = [sql<SqlBool>`clone.owner = ${owner}`];
  if (taskId) conditions.push(sql<SqlBool>`clone.id = any(${toUuids([taskId])}::uuid[])`);
  if (status) conditions.push(sql<SqlBool>`clone.status = ${status}`);
  for (const like of keyword ? searchPatterns(keyword) : [])
    conditions.push(sql<SqlBool>`(content ilike ${like} or role.name ilike ${like} or recording.name ilike ${like})`);
  const count = joined(parts.db).select((eb) => eb.fn.countAll<string>().as("total"));
  const { total } = await count.where(allOf(conditions)).executeTakeFirstOrThrow();
  const rows = await selected(parts.db)
    .where(allOf(conditions))
    .orderBy("clone.created_at", "desc")
    .orderBy("clone.id")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const list: Clone[] = [];
  for (const row of rows) list.push(await toClone(row, parts));
  return { list, total: Number(total), page, pageSize };
}

export async function getClone(parts: ListParts, id: string): Promise<Clone> {
  return toClone(await selected(parts.db).where("clone.id", "=", id).executeTakeFirstOrThrow(), parts);
}

async function toClone(row: Row, parts: ListParts): Promise<Clone> {
  const roleId = row.role_id ?? "";
  return {
    ...(await toTaskFields(row, cloneProgress(row), parts)),
    ...toSoundFields(row),
    voiceId: row.id,
    content: row.content,
    roleId,
    audioId: roleId,
    portrait: row.portrait as Clone["portrait"],
    name: row.name,
    avatar: portraitAddressOf(row.avatar_id),
    voicePath: row.voicePath ?? "",
    style: row.style,
    speed: row.speed,
    ...(row.pitch !== null && { pitch: row.pitch }),
    ...(row.volume !== null && { volume: row.volume }),
    genre: row.genre,
    ...(row.ext && { ext: row.ext }),
    emotionPath: row.emotionPath ?? "",
    costChar: row.characters,
    createdAt: row.createdAt,
  };
}
