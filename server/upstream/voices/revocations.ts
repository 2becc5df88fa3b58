import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { receiptTextOf, type UnsignedReceipt } from "~server/contract/calls/proofs";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import { type AccountOwner, ownerOf } from "../owner";
import { shanghaiTime } from "../sql-fragments";
import { lockAccount } from "./roles/creation";
import type { RoleParts } from "./roles/parts";
import { removeRole, sweepRecordings } from "./roles/removal";
import type { VendorVoices } from "./vendor-voices";

export type RevocationReceipt = CallData<"roleRevoke">;

export type Revocations = ReturnType<typeof createRevocations>;

export interface RevocationParts extends RoleParts {
  vendorVoices: Pick<VendorVoices, "sweep">;
  sign(text: string): string;
}

/** The revoker: the role's owner, the speaker of a role of that owner, or operators for any role with a recording. */
type RevokedBy = { by: "owner" | "speaker"; owner: AccountOwner } | { by: "operator" };

const eraseKind = "voice-erase";

export function createRevocations(parts: RevocationParts) {
  const { db, once, queue } = parts;
  return {
    /**
     * Ends the consent to a role's voice: stops every task of any account that speaks with it, and deletes recording,
     * profile, roles and outputs. Nothing of them can be read after this returns; a job deletes the bytes. The same key gets
     * the same receipt. Throws not-found for another owner's role and for one without a recording.
     */
    async revoke(accountId: string, roleId: string, key?: string): Promise<RevocationReceipt> {
      const owner = ownerOf(accountId);
      const result = await once({ owner, call: "role-revoke", key, request: { roleId } }, async (trx) => {
        await lockAccount(trx, accountId);
        return eraseVoice(trx, parts, roleId, { by: "owner", owner });
      });
      if (result.first) queue.wake();
      return result.answer;
    },
    /** The same by the speaker, in the caller's transaction, which locks the account. Call `wake` after the commit. */
    eraseForSpeaker: (trx: Db, accountId: string, roleId: string): Promise<RevocationReceipt> =>
      eraseVoice(trx, parts, roleId, { by: "speaker", owner: ownerOf(accountId) }),
    wake: (): void => queue.wake(),
    /** Whether a receipt with this id was issued, and whether all bytes are deleted. */
    async findReceipt(id: string): Promise<{ isErased: boolean } | null> {
      const row = db.selectFrom("voice_revocation").select("erased_at").where(sql<boolean>`id::text = ${id}`);
      const found = await row.executeTakeFirst();
      return found ? { isErased: found.erased_at !== null } : null;
    },
    handlers: { [eraseKind]: createEraseJob(parts) as JobHandler },
  };
}

/** Deletes the bytes of what a transaction has made unreadable. Runs again after a crash, because each step may. */
function createEraseJob(parts: RevocationParts): JobHandler<{ id: string }> {
  const { files, segments, vendorVoices } = parts;
  return {
    async run({ id }) {
      await sweepRecordings(parts);
      await files.removeExpired();
      await segments.sweep();
      await vendorVoices.sweep();
      return {
        async write(trx) {
          const done = { erased_at: sql<Date>`now()` };
          await trx.updateTable("voice_revocation").set(done).where("id", "=", id).execute();
        },
      };
    },
  };
}

/** All of it in the caller's transaction, with the job for the bytes. */
export async function eraseVoice(
  trx: Db,
  parts: RevocationParts,
  roleId: string,
  revoked: RevokedBy,
): Promise<RevocationReceipt> {
  const chosen = trx.selectFrom("role").select("recording_id").where("id", "=", roleId);
  const own = "owner" in revoked ? chosen.where("owner", "=", revoked.owner) : chosen;
  const recordingId = (await own.executeTakeFirst())?.recording_id;
  if (!recordingId) throw new AppError("not-found", "no such role with a recording");
  const speaking = trx.selectFrom("role").select(["id", "owner", "job_id"]).where("recording_id", "=", recordingId);
  const roles = await speaking.orderBy("id").execute();
  // Jobs before roles, in the order of a worker, to prevent deadlocks.
  for (const { job_id } of roles) if (job_id) await parts.queue.cancel(trx, job_id);
  const voice = { roleIds: roles.map(({ id }) => id), recordingIds: [recordingId] };
  let outputs = 0;
  for (const kind of parts.outputs) outputs += await kind.forgetVoice(trx, voice);
  const learned = await countLearned(trx, recordingId);
  for (const { id, owner } of roles) await removeRole(trx, parts, { owner: owner as AccountOwner, id });
  return issueReceipt(trx, parts, revoked.by, { roles: roles.length, recordings: 1, outputs, ...learned });
}

async function countLearned(trx: Db, recordingId: string) {
  const recording = trx.selectFrom("recording").select("profile_sealed").where("id", "=", recordingId);
  const vendors = trx.selectFrom("vendor_voice").select("name").where("recording_id", "=", recordingId);
  const isLearned = (await recording.executeTakeFirst())?.profile_sealed != null;
  return { profiles: isLearned ? 1 : 0, vendorVoices: (await vendors.execute()).length };
}

async function issueReceipt(
  trx: Db,
  { queue, sign }: Pick<RevocationParts, "queue" | "sign">,
  by: RevokedBy["by"],
  removed: UnsignedReceipt["removed"],
): Promise<RevocationReceipt> {
  const id = randomUUID();
  const { revokedAt } = await trx
    .insertInto("voice_revocation")
    .values({ id, revoked_by: by, removed: JSON.stringify(removed) })
    .returning(shanghaiTime("revoked_at").as("revokedAt"))
    .executeTakeFirstOrThrow();
  await queue.enqueue(trx, { kind: eraseKind, payload: { id } });
  const receipt = { receiptId: id, revokedAt: revokedAt ?? "", by, removed };
  return { ...receipt, signature: sign(receiptTextOf(receipt)) };
}
