import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { Owner } from "../owner";
import { shanghaiTime } from "../sql-fragments";
import type { Files } from "./ports";
import type { Proofs } from "./proofs/proofs";
import type { RevocationReceipt } from "./revocations";

export interface AnswerParts {
  db: Db;
  files: Pick<Files, "give">;
  proofs: Proofs;
  /** Ends the consent to the role's voice in the caller's transaction. */
  erase(trx: Db, accountId: string, roleId: string): Promise<RevocationReceipt>;
  /** After a commit in which `erase` ran. */
  wake(): void;
}

type ConsentState = CallData<"consentAsk">["state"];

export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Owner of prompts, tries and recordings: all links of an account share the tries. */
export const speakerOf = (accountId: string): Owner => `link:${accountId}`;

/** A limited subquery, because the planner would read the whole table for `exists`. */
const hasProof = (condition: string) =>
  sql<boolean>`coalesce((select true from voice_proof p where p.id = proof_id and ${sql.raw(condition)} limit 1), false)`;

/** Derived, so that an answer of operators counts without a further write. */
export const stateOfLink = sql<ConsentState>`case
  when withdrawn_at is not null then 'withdrawn'
  when declined_at is not null then 'declined'
  when consent_link.recording_id is null then 'ended'
  when ${hasProof("(p.outcome = 'yes' or p.review = 'accepted')")} then 'given'
  when ${hasProof("p.review = 'asked'")} then 'review'
  when ${hasProof("p.submitted_at is not null and p.outcome is null")} then 'judging'
  when consent_link.expires_at <= now() then 'expired'
  else 'waiting' end`;

const answeredAt = sql<string | null>`to_char(coalesce(withdrawn_at, declined_at,
  (select coalesce(reviewed_at, decided_at) from voice_proof p where p.id = proof_id
    and (p.outcome = 'yes' or p.review = 'accepted'))) at time zone 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS"+08:00"')`;

export const selectLinks = (db: Db) =>
  db
    .selectFrom("consent_link")
    .selectAll("consent_link")
    .select([stateOfLink.as("state"), answeredAt.as("answeredAt")])
    .select([shanghaiTime("created_at").as("createdAt"), shanghaiTime("expires_at").as("expiresAt")]);

type LinkRow = Awaited<ReturnType<ReturnType<typeof selectLinks>["executeTakeFirstOrThrow"]>>;

const missing = () => new AppError("not-found", "no such link, or nothing is asked there any more");

/** Acts of the person with the link. Each throws not-found for an unknown link. */
export function createAnswers(parts: AnswerParts) {
  const { db, files, proofs } = parts;

  const find = async (trx: Db, token: string, states?: ConsentState[]) => {
    const row = await selectLinks(trx).where("token_sha256", "=", hashOfToken(token)).executeTakeFirst();
    if (!row || (states && !states.includes(row.state))) throw missing();
    return row;
  };

  const show = async (row: LinkRow) => {
    const isOpen = row.proof_id && (row.state === "waiting" || row.state === "judging");
    return toAsk(row, isOpen ? await proofs.getResult(speakerOf(row.account_id), row.proof_id ?? "") : null);
  };

  return {
    ask: async (token: string): Promise<CallData<"consentAsk">> => show(await find(db, token)),
    /** Throws not-found once the question is closed, and like `Proofs.createPrompt`. */
    async createPrompt(token: string, address: string): Promise<CallData<"consentPrompt">> {
      const { account_id, role_id } = await find(db, token, ["waiting", "judging"]);
      const caller = { owner: speakerOf(account_id), voiceOwner: `account:${account_id}` as const, address };
      return proofs.createPrompt(caller, { roleId: role_id });
    },
    /** Judges the recording that the person uploaded as `owner`; `ask` shows the verdict. Throws like `Proofs.submit`. */
    async submit(
      { owner, address }: { owner: Owner; address: string },
      { token, promptId, voicePath }: CallRequest<"consentSubmit">,
    ): Promise<CallData<"consentSubmit">> {
      const { id, account_id, recording_id } = await find(db, token, ["waiting"]);
      await requirePrompt(db, promptId, recording_id);
      const speaker = speakerOf(account_id);
      const callers = { owner: speaker, uploader: owner };
      return proofs.submit(callers, { promptId, voicePath }, async (trx, spokenId) => {
        const spoken = trx.updateTable("recording").set({ owner: speaker }).where("id", "=", spokenId);
        const moved = await spoken.returning("file_id").executeTakeFirstOrThrow();
        await files.give(trx, [moved.file_id], speaker);
        const answered = { proof_id: promptId, answer_address: address };
        await trx.updateTable("consent_link").set(answered).where("id", "=", id).execute();
      });
    },
    /** A repetition answers the same. Throws not-found for an answer that does not fit the state. */
    async answer({ token, answer }: CallRequest<"consentAnswer">): Promise<CallData<"consentAsk">> {
      const answered = await find(db, token);
      if (answered.state === outcomes[answer]) return show(answered);
      if (answer === "review") await askReview(proofs, await find(db, token, ["waiting"]));
      else await (answer === "decline" ? decline(parts, answered) : withdraw(parts, answered));
      return show(await find(db, token));
    },
  };
}

const outcomes = { decline: "declined", withdraw: "withdrawn", review: "review" } as const;

function toAsk(row: LinkRow, attempt: CallData<"consentAsk">["attempt"]): CallData<"consentAsk"> {
  return {
    askerName: row.asker_name,
    state: row.state,
    createdAt: row.createdAt ?? "",
    expiresAt: row.expiresAt ?? "",
    answeredAt: row.answeredAt ?? "",
    attempt,
    receipt: row.receipt as RevocationReceipt | null,
  };
}

/** All links of an account share the owner of their prompts: one of another voice is refused. */
async function requirePrompt(db: Db, promptId: string, recordingId: string | null): Promise<void> {
  const prompts = db.selectFrom("voice_proof").select("id").where(sql<string>`id::text`, "=", promptId);
  const asked = await prompts.where("recording_id", "=", recordingId).executeTakeFirst();
  if (!asked) throw new AppError("proof-expired", "no open prompt of this link");
}

async function askReview(proofs: Proofs, { account_id, proof_id }: LinkRow): Promise<void> {
  if (!proof_id) throw missing();
  await proofs.askReview(speakerOf(account_id), proof_id);
}

/** Ends what is being judged or reviewed as well, so that a later yes to it is no consent. Judged tries stay counted. */
async function decline({ db }: AnswerParts, { id }: LinkRow): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const open = trx.updateTable("consent_link").set({ declined_at: sql<Date>`now()` }).where("id", "=", id);
    const isOpen = sql<boolean>`${stateOfLink} in ('waiting', 'judging', 'review')`;
    const link = await open.where(isOpen).returning(["account_id", "recording_id"]).executeTakeFirst();
    if (!link) throw missing();
    await trx
      .updateTable("voice_proof")
      .set({ outcome: sql<"unusable">`coalesce(outcome, 'unusable')`, review: null })
      .where("owner", "=", speakerOf(link.account_id))
      .where("recording_id", "=", link.recording_id)
      .where((eb) => eb.or([eb("outcome", "is", null), eb("review", "=", "asked")]))
      .execute();
  });
}

/** Deletes the same as a revocation by the role's owner. */
async function withdraw({ db, erase, wake }: AnswerParts, { id, account_id }: LinkRow): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // In the order of everything that removes roles: the account, then what hangs on it.
    await trx.selectFrom("account").select("id").where("id", "=", account_id).forUpdate().execute();
    await trx.selectFrom("consent_link").select("id").where("id", "=", id).forUpdate().execute();
    const { state, recording_id } = await selectLinks(trx).where("consent_link.id", "=", id).executeTakeFirstOrThrow();
    if (state === "withdrawn") return;
    const speaking = trx.selectFrom("role").select("id").where("recording_id", "=", recording_id).limit(1);
    const role = await speaking.executeTakeFirst();
    if (state !== "given" || !role) throw missing();
    const receipt = JSON.stringify(await erase(trx, account_id, role.id));
    const withdrawn = trx.updateTable("consent_link").set({ withdrawn_at: sql<Date>`now()`, receipt });
    await withdrawn.where("id", "=", id).execute();
  });
  wake();
}

/** The consent rows of links that were answered with yes, by the judge or by operators. Idempotent. */
export async function recordConsents(db: Db): Promise<void> {
  await sql`insert into recording_consent
    (recording_id, kind, statement_id, statement_version, statement_sha256, agreed_at, address)
    select p.recording_id, 'link', p.statement_id, p.statement_version, p.statement_sha256, p.submitted_at, answer_address
    from consent_link join voice_proof p on p.id = proof_id
    where consent_link.recording_id is not null and answer_address is not null
      and (p.outcome = 'yes' or p.review = 'accepted')
    on conflict do nothing`.execute(db);
}
