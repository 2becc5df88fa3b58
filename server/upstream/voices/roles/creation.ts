import { randomUUID } from "node:crypto";
import type { CallRequest } from "~server/contract/calls/table";
import { proofStatement } from "~server/contract/consent";
import { rolesFree } from "~server/contract/limits";
import { type RecordingQuality, recordingLimits } from "~server/contract/recording/quality";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { type AccountOwner, ownerOf } from "../../owner";
import { countRows } from "../../sql-fragments";
import { acceptFee, insertConsent, requireStatement, type StatementColumns } from "../consents";
import { isPromptReading } from "../proofs/proofs";
import { toAppearanceColumns } from "./appearance";
import { startEnrolment } from "./enrolment";
import { getRole, type Role } from "./list";
import type { RoleParts } from "./parts";

export type NewRole = CallRequest<"roleCreate">;

export interface Creator {
  accountId: string;
  /** The network address that the consent came from. */
  address: string;
}

/** Inserts role and consent and queues the enrolment in one transaction; the same key gets the same answer. */
export async function createRole(parts: RoleParts, creator: Creator, request: NewRole, key?: string): Promise<Role> {
  const owner = ownerOf(creator.accountId);
  const tier = await parts.tierOf(creator.accountId);
  const result = await parts.once({ owner, call: "role", key, request }, async (trx) => {
    // First: no role of a person exists without a consent.
    const voice = await requireVoice(trx, parts, creator, request);
    await lockAccount(trx, creator.accountId);
    if (!tier) await requireRoleLimit(trx, owner);
    const id = await insertRole(trx, parts, { owner, request, columns: voice.columns });
    if (voice.consent) {
      await trx
        .insertInto("role_consent")
        .values({ ...voice.consent, role_id: id })
        .execute();
    }
    await startEnrolment(trx, parts, { id, owner });
    return getRole(trx, id, { made: 0, isProofRequired: parts.isProofRequired });
  });
  if (result.first) parts.queue.wake();
  return result.answer;
}

/** Serialises the creation and removal of an account's roles with its deletion. */
export async function lockAccount(trx: Db, accountId: string): Promise<void> {
  const account = trx.selectFrom("account").select("id").where("id", "=", accountId).forUpdate();
  if (!(await account.executeTakeFirst())) throw new AppError("login-expired", "the account is gone");
}

async function requireRoleLimit(trx: Db, owner: AccountOwner): Promise<void> {
  if ((await countRows(trx.selectFrom("role").where("owner", "=", owner))) < rolesFree) return;
  throw new AppError("entitlement", "no more roles in this tier", { data: { reason: "tier", limit: rolesFree } });
}

interface VoiceColumns {
  recording_id: string | null;
  /** JSON of a designed voice. */
  design: string | null;
}

/** The role's voice, and for a recording the consent to it, which is stored with the recording. */
async function requireVoice(
  trx: Db,
  parts: Pick<RoleParts, "recordings" | "speech">,
  { accountId, address }: Creator,
  { voicePath = "", designId, consent }: NewRole,
): Promise<{ columns: VoiceColumns; consent?: ConsentColumns & { account_id: string; address: string } }> {
  if (designId) {
    const designed = parts.speech.designs.find(designId);
    if (!designed) throw new AppError("voice-missing", "no such design");
    return { columns: { recording_id: null, design: JSON.stringify(designed.design) } };
  }
  const owner = ownerOf(accountId);
  const agreed = await requireConsent(trx, parts, { owner, consent });
  const recording_id = await parts.recordings.findId(owner, voicePath, trx);
  if (!recording_id) throw new AppError("voice-missing", "not a recording of the owner");
  const { recording_id: _, ...statement } = agreed;
  await insertConsent(trx, recording_id, { ...statement, address });
  if (consent?.acceptFee) await acceptFee(trx, recording_id);
  return { columns: { recording_id, design: null }, consent: { ...agreed, account_id: accountId, address } };
}

async function insertRole(
  trx: Db,
  parts: Pick<RoleParts, "files" | "defaults">,
  { owner, request, columns }: { owner: AccountOwner; request: NewRole; columns: VoiceColumns },
): Promise<string> {
  const { name, describe = "", transcript = null, gender = "unknown", language = "zh", tags = [] } = request;
  const appearance = await toAppearanceColumns(trx, parts, { ...request, owner });
  const { category, preview: preview_text } = parts.defaults;
  const id = randomUUID();
  const voice = { ...columns, transcript, category, preview_text, status: 1 } as const;
  await trx
    .insertInto("role")
    .values({ id, owner, name, describe, gender, language, tags, ...voice, ...appearance })
    .execute();
  return id;
}

interface ConsentColumns extends StatementColumns {
  recording_id: string | null;
}

/**
 * Throws consent-missing for no consent, an unknown statement, and a recording that is another owner's or has no speech.
 * The proof's statement needs a recording that was handed in as a prompt read aloud.
 */
async function requireConsent(
  trx: Db,
  { recordings }: Pick<RoleParts, "recordings">,
  { owner, consent }: { owner: AccountOwner; consent: NewRole["consent"] },
): Promise<ConsentColumns> {
  const isProof = consent?.statementId === proofStatement.id;
  const agreed = requireStatement(consent?.statementId, isProof && Boolean(consent.voicePath));
  if (!consent?.voicePath) return { ...agreed, recording_id: null };
  const recording_id = await recordings.findId(owner, consent.voicePath, trx);
  const isRead = isProof ? isPromptReading : isSpoken;
  if (!recording_id || !(await isRead(trx, recording_id, owner))) {
    throw new AppError("consent-missing", "not read aloud in a recording of the owner");
  }
  return { ...agreed, recording_id };
}

async function isSpoken(trx: Db, id: string): Promise<boolean> {
  const row = await trx.selectFrom("recording").select("quality").where("id", "=", id).executeTakeFirst();
  const quality = row?.quality as RecordingQuality | undefined;
  if (!quality || quality.verdict === "refused") return false;
  return quality.speechSeconds >= recordingLimits.fullSpeechSeconds;
}
