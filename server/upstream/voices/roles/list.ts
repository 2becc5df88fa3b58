import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { vendorStatementIds } from "~server/contract/consent";
import { portraitAddressOf } from "~server/contract/file-address";
import { isProvable } from "~server/contract/limits";
import type { RecordingQuality } from "~server/contract/recording/quality";
import type { Db } from "../../db/database";
import type { AccountOwner } from "../../owner";
import { allOf, contains, newestOf, orderOf, readPage, searchWords, shanghaiTime } from "../../sql-fragments";
import type { RoleParts } from "./parts";

export type Role = CallData<"roleList">["list"][number];
export type RoleList = CallData<"roleList">;

const proofState = sql<"missing" | "judging" | "asked" | "declined" | "proven">`(
  select case when bool_or(outcome = 'yes' or coalesce(review, '') = 'accepted') then 'proven'
    when bool_or(coalesce(review, '') = 'asked') then 'asked'
    when bool_or(submitted_at is not null and outcome is null and owner = role.owner) then 'judging'
    when bool_or(coalesce(review, '') = 'refused') then 'declined' else 'missing' end
  from voice_proof where voice_proof.recording_id = role.recording_id)`;

/** A limited subquery, because the planner would read the whole table for `exists`. */
const isVendorAgreed = sql<boolean>`coalesce((select true from recording_consent
  where recording_consent.recording_id = role.recording_id and statement_id in (${sql.join(vendorStatementIds)})
  limit 1), false)`;

/** Reason why the owner's latest recording of a prompt was not accepted; one older than a day is deleted. */
const proofAttempt = sql<Role["proofAttempt"]>`(
  select case when reason is not null then jsonb_build_object('outcome', outcome, 'reason', reason) end
  from voice_proof where voice_proof.recording_id = role.recording_id and voice_proof.owner = role.owner
    and submitted_at > now() - interval '1 day' order by submitted_at desc limit 1)`;

const isDesigned = sql<boolean>`(role.recording_id is null and design is not null)`;

const proofNote = sql<string | null>`(
  select review_reason from voice_proof
  where voice_proof.recording_id = role.recording_id and review = 'refused' order by reviewed_at desc limit 1)`;

const selected = (db: Db) =>
  db
    .selectFrom("role")
    .leftJoin("recording", "recording.id", "role.recording_id")
    .leftJoin("rendition", "rendition.id", "role.preview_id")
    .leftJoin("role_consent", "role_consent.role_id", "role.id")
    .select([
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
    ])
    .select([
      "is_public",
      "review",
      "measured",
      "use_num",
      "play_url",
      "timeline_url",
      "recording.url",
      "recording.quality",
    ])
    .select(["role.recording_id", "statement_id", "fee_accepted_at"])
    .select([proofState.as("proof"), proofNote.as("proofNote"), proofAttempt.as("proofAttempt")])
    .select([isVendorAgreed.as("isVendorAgreed"), isDesigned.as("isDesigned")])
    .select([shanghaiTime("role.created_at").as("createdAt"), shanghaiTime("agreed_at").as("consentAt")]);

type RoleRow = Awaited<ReturnType<ReturnType<typeof selected>["executeTakeFirstOrThrow"]>>;

const newestFirst = newestOf("role");

/** The owner's roles, newest first. */
export async function listRoles(
  parts: Pick<RoleParts, "db" | "outputs" | "isProofRequired">,
  owner: AccountOwner,
  query: CallRequest<"roleList">,
): Promise<RoleList> {
  const { db, isProofRequired } = parts;
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
  const matching = db.selectFrom("role").select("id").where(allOf(conditions));
  const { list: rows, ...page } = await readPage(matching, newestFirst, query, (shown) =>
    selected(db).where("role.id", "in", shown).orderBy(orderOf(newestFirst)).execute(),
  );
  const ids = rows.map(({ id }) => id);
  const made = await countOutputs(parts, owner, ids);
  return { list: rows.map((row) => toRole(row, { made: made.get(row.id) ?? 0, isProofRequired })), ...page };
}

interface RoleContext {
  /** The owner's generations with it. */
  made: number;
  isProofRequired: boolean;
}

/** The role as it is in this transaction. */
export async function getRole(trx: Db, id: string, context: RoleContext): Promise<Role> {
  return toRole(await selected(trx).where("role.id", "=", id).executeTakeFirstOrThrow(), context);
}

/** The owner's generations per role. One query for all kinds: each exchange with the database is 0.3 ms. */
export async function countOutputs(
  { db, outputs }: Pick<RoleParts, "db" | "outputs">,
  owner: AccountOwner,
  ids: string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const kinds = outputs.map(({ roles }) => roles);
  const { rows } = await sql<{ role_id: string; count: number }>`
    select role_id, count(distinct task_id)::int as count from (${sql.join(kinds, sql` union all `)}) used
    where owner = ${owner} and role_id = any(${ids}::text[]) group by role_id`.execute(db);
  return new Map(rows.map(({ role_id, count }) => [role_id, count]));
}

function proofOf({ recording_id, quality, proof }: RoleRow): Role["proof"] {
  if (!recording_id) return "";
  return proof === "missing" && !isProvable(quality as RecordingQuality) ? "short" : proof;
}

function toRole(row: RoleRow, { made, isProofRequired }: RoleContext): Role {
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
    isVendorAgreed: row.isVendorAgreed,
    isFeeAccepted: row.fee_accepted_at !== null,
    proof: isProofRequired ? proofOf(row) : "",
    proofNote: (row.proof === "declined" && row.proofNote) || "",
    proofAttempt: isProofRequired && row.proof === "missing" ? row.proofAttempt : null,
    isDesigned: row.isDesigned,
    outputs: made,
    createdAt: row.createdAt ?? "",
  };
}
