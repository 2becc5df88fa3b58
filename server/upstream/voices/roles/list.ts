import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import type { AccountOwner } from "../../owner";
import { allOf, contains, type ListOrder, orderOf, readPage, searchWords, shanghaiTime } from "../../sql-fragments";
import type { RoleOutputs } from "../ports";

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

const selected = (db: Db) =>
  db
    .selectFrom("role")
    .leftJoin("recording", "recording.id", "role.recording_id")
    .leftJoin("rendition", "rendition.id", "role.preview_id")
    .leftJoin("role_consent", "role_consent.role_id", "role.id")
    .select(columns)
    .select([shanghaiTime("role.created_at").as("createdAt"), shanghaiTime("agreed_at").as("consentAt")]);

type Row = Awaited<ReturnType<ReturnType<typeof selected>["executeTakeFirstOrThrow"]>>;

const newestFirst: ListOrder = [
  ["role.created_at", "desc"],
  ["role.id", "asc"],
];

/** The owner's roles, newest first. */
export async function listRoles(
  { db, outputs }: { db: Db; outputs: RoleOutputs[] },
  owner: AccountOwner,
  query: CallRequest<"roleList">,
): Promise<RoleList> {
  const { roleId, keyword = "" } = query;
  const conditions = [sql<SqlBool>`owner = ${owner}`];
  if (roleId) conditions.push(sql<SqlBool>`id = ${roleId}`);
  for (const word of searchWords(keyword)) {
    const texts = [sql.ref("name"), sql.ref("describe"), sql`array_to_string(tags, ' ')`];
    conditions.push(
      sql<SqlBool>`(${sql.join(
        texts.map((text) => contains(text, word)),
        sql` or `,
      )})`,
    );
  }
  const ids = db.selectFrom("role").select("id").where(allOf(conditions));
  const { list: rows, ...page } = await readPage(ids, newestFirst, query, (shown) =>
    selected(db).where("role.id", "in", shown).orderBy(orderOf(newestFirst)).execute(),
  );
  const made = await countOutputs(
    outputs,
    owner,
    rows.map(({ id }) => id),
  );
  return { list: rows.map((row) => toRole(row, made.get(row.id) ?? 0)), ...page };
}

/** The role as it is in this transaction; `made` counts its generations. */
export async function getRole(trx: Db, id: string, made: number): Promise<Role> {
  return toRole(await selected(trx).where("role.id", "=", id).executeTakeFirstOrThrow(), made);
}

/** The owner's generations per role, with one query per kind. */
export async function countOutputs(
  outputs: RoleOutputs[],
  owner: AccountOwner,
  ids: string[],
): Promise<Map<string, number>> {
  const made = new Map(ids.map((id) => [id, 0]));
  if (ids.length === 0) return made;
  for (const kind of outputs) {
    for (const [id, count] of await kind.countByRole(owner, ids)) made.set(id, (made.get(id) ?? 0) + count);
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
