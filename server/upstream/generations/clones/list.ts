import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import type { Owner } from "../../owner";
import {
  allOf,
  contains,
  hasGrams,
  newestOf,
  orderOf,
  readPage,
  searchWords,
  shanghaiTime,
  toUuids,
} from "../../sql-fragments";
import { cloneProgress, type ListParts, soundColumns, toSoundFields, toTaskFields } from "../listing";

export type Clone = CallData<"cloneList">["list"][number];
export type CloneList = CallData<"cloneList">;

/** With the present role where its owner or the square shows it. */
const selected = (db: Db) =>
  db
    .selectFrom("clone")
    .leftJoin("role", (join) =>
      join
        .onRef("role.id", "=", "clone.role_id")
        .on((eb) => eb.or([eb("role.owner", "=", eb.ref("clone.owner")), eb("role.is_shown", "=", true)])),
    )
    .leftJoin("recording", "recording.id", "clone.recording_id")
    .leftJoin("recording as tone", "tone.id", "clone.tone_id")
    .leftJoin("rendition", "rendition.id", "clone.rendition_id")
    .select(["clone.id", "content", "role_id", "style", "speed", "pitch", "volume", "genre", "ext", "characters"])
    .select(["clone.status", "seg_done", "seg_total", "msg", "failed_at", "clone.job_id", "avatar_id", "portrait"])
    .select([
      "recording.url as voicePath",
      "tone.url as emotionPath",
      ...soundColumns.map((name) => `rendition.${name}` as const),
    ])
    .select(sql<string>`coalesce(role.name, recording.name, '')`.as("name"))
    .select(shanghaiTime("clone.created_at").as("createdAt"));

type CloneRow = Awaited<ReturnType<ReturnType<typeof selected>["executeTakeFirstOrThrow"]>>;

const newestFirst = newestOf("clone");

/** The owner's clones, newest first. */
export async function listClones(parts: ListParts, owner: Owner, query: CallRequest<"cloneList">): Promise<CloneList> {
  const { db } = parts;
  const ids = selectClones(db, owner, query).select("clone.id");
  const { list: rows, ...page } = await readPage(ids, newestFirst, query, (shown) =>
    selected(db).where("clone.id", "in", shown).orderBy(orderOf(newestFirst)).execute(),
  );
  const list: Clone[] = [];
  for (const row of rows) list.push(await toClone(row, parts));
  return { list, ...page };
}

/** A search reads texts one by one: 12,000 take 12 ms, and are years of the largest quota. */
const searchedMax = 12_000;

type Filter = Partial<Pick<CallRequest<"cloneList">, "taskId" | "status" | "keyword">>;

/** The owner's clones of a list; a search reads the newest. */
export const selectClones = (db: Db, owner: Owner, filter: Filter) =>
  db
    .selectFrom((eb) => {
      const clones = eb
        .selectFrom("clone")
        .select(["id", "owner", "created_at", "status", "content", "role_id", "recording_id"]);
      const newest = clones.where("owner", "=", owner).orderBy(orderOf(newestFirst)).limit(searchedMax);
      return (filter.keyword ? newest : clones).as("clone");
    })
    .where(matches(owner, filter));

/** Every word must occur in the text or in the name of the voice. */
function matches(owner: Owner, { taskId, status, keyword = "" }: Filter) {
  const conditions = [sql<SqlBool>`owner = ${owner}`];
  if (taskId) conditions.push(sql<SqlBool>`id = any(${toUuids([taskId])}::uuid[])`);
  if (status) conditions.push(sql<SqlBool>`status = ${status}`);
  const name = sql.ref("name");
  for (const word of searchWords(keyword)) {
    conditions.push(sql<SqlBool>`(${contains(sql.ref("content"), word)}
      or role_id in (select id from role where role.owner = ${owner} and ${contains(name, word)}
        union all select id from role where is_shown and ${hasGrams(word)} and ${contains(name, word)})
      or recording_id in (select id from recording where recording.owner = ${owner} and ${contains(name, word)}))`);
  }
  return allOf(conditions);
}

export async function getClone(parts: ListParts, id: string): Promise<Clone> {
  return toClone(await selected(parts.db).where("clone.id", "=", id).executeTakeFirstOrThrow(), parts);
}

async function toClone(row: CloneRow, parts: ListParts): Promise<Clone> {
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
