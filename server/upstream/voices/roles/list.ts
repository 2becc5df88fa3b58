import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import type { RoleOutputs } from "../ports";
import type { AccountOwner } from "./parts";

export type Role = CallData<"roleList">["list"][number];
export type RoleList = CallData<"roleList">;

const columns = [
  "role.id",
  "role.name",
  "describe",
  "avatar_id",
  "portrait",
  "tags",
  "gender",
  "language",
  "status",
  "reason",
  "is_public",
  "review",
  "measured",
  "use_num",
  "play_url",
  "timeline_url",
  "recording.url",
  "statement_id",
] as const;

const localTime = (column: string) =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS"+08:00"')`;

const shown = (db: Db) =>
  db
    .selectFrom("role")
    .leftJoin("recording", "recording.id", "role.recording_id")
    .leftJoin("rendition", "rendition.id", "role.preview_id")
    .leftJoin("role_consent", "role_consent.role_id", "role.id")
    .select(columns)
    .select([localTime("role.created_at").as("createdAt"), localTime("agreed_at").as("consentAt")]);

type Row = Awaited<ReturnType<ReturnType<typeof shown>["executeTakeFirstOrThrow"]>>;

/** The owner's, newest first. */
export async function listRoles(
  { db, outputs }: { db: Db; outputs: RoleOutputs[] },
  owner: AccountOwner,
  { page, pageSize, keyword, roleId }: CallRequest<"roleList">,
): Promise<RoleList> {
  const conditions = [sql<SqlBool>`role.owner = ${owner}`];
  if (roleId) conditions.push(sql<SqlBool>`role.id = ${roleId}`);
  for (const word of keyword?.trim().split(/\s+/) ?? []) {
    const like = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
    conditions.push(
      sql<SqlBool>`(role.name ilike ${like} or describe ilike ${like} or array_to_string(tags, ' ') ilike ${like})`,
    );
  }
  const wanted = sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
  const count = db.selectFrom("role").select((eb) => eb.fn.countAll<string>().as("total"));
  const { total } = await count.where(wanted).executeTakeFirstOrThrow();
  const rows = await shown(db)
    .where(wanted)
    .orderBy("role.created_at", "desc")
    .orderBy("role.id")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const made = await countOutputs(
    outputs,
    owner,
    rows.map(({ id }) => id),
  );
  const list = rows.map((row) => toRole(row, made.get(row.id) ?? 0));
  return { list, total: Number(total), page, pageSize };
}

/** One of the owner's as it is in this transaction; `made` tells how many outputs it has. */
export async function getRole(trx: Db, id: string, made: number): Promise<Role> {
  return toRole(await shown(trx).where("role.id", "=", id).executeTakeFirstOrThrow(), made);
}

/** How much the owner made with each of these roles, in one question a noun. */
export async function countOutputs(
  outputs: RoleOutputs[],
  owner: AccountOwner,
  ids: string[],
): Promise<Map<string, number>> {
  const made = new Map(ids.map((id) => [id, 0]));
  if (ids.length === 0) return made;
  for (const noun of outputs) {
    for (const [id, count] of await noun.countByRole(owner, ids)) made.set(id, (made.get(id) ?? 0) + count);
  }
  return made;
}

function toRole(row: Row, outputs: number): Role {
  return {
    roleId: row.id,
    audioId: row.id,
    name: row.name,
    describe: row.describe,
    avatar: portraitAddressOf(row.avatar_id),
    portrait: row.portrait as Role["portrait"],
    voicePath: row.url ?? "",
    voiceUrl: row.play_url ?? "",
    timelineUrl: row.timeline_url ?? "",
    tags: row.tags,
    gender: row.gender,
    language: row.language,
    useNum: row.use_num,
    status: row.status,
    reason: row.reason ?? undefined,
    isPublic: row.is_public,
    isUnderReview: row.review === "open",
    measured: row.measured as Role["measured"],
    consentAt: row.consentAt ?? "",
    statementId: row.statement_id ?? "",
    outputs,
    createdAt: row.createdAt ?? "",
  };
}
