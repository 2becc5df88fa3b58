import type { CallRequest } from "~server/contract/calls/table";
import { vendorStatementIds } from "~server/contract/consent";
import { fileIdsOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { JobHandler } from "../../jobs/handler";
import { type AccountOwner, type Owner, ownerOf } from "../../owner";
import { countRows } from "../../sql-fragments";
import { acceptFee, insertConsent, requireStatement } from "../consents";
import { isProven } from "../proofs/proofs";
import { createShowRole, dropAvatar, toAppearanceColumns } from "./appearance";
import { type Creator, createRole, type NewRole } from "./creation";
import { createRoleJob, startEnrolment } from "./enrolment";
import { countOutputs, getRole, listRoles, type Role, type RoleList } from "./list";
import { type RoleParts, roleKind } from "./parts";
import { removeRoles, sweepRecordings } from "./removal";

/** The roles of accounts. Another account's id answers like a missing one. */
export type Roles = ReturnType<typeof createRoles>;

const everything = { page: 1, pageSize: 100_000 };

export function createRoles(parts: RoleParts) {
  const { db, queue, files } = parts;
  return {
    /**
     * Throws `consent-missing`, `voice-missing`, `image-unreadable`, and entitlement `{reason: "tier", limit}`; nothing is
     * stored then. The same key gets the same answer.
     */
    create: (creator: Creator, request: NewRole, key?: string): Promise<Role> =>
      createRole(parts, creator, request, key),
    list: (accountId: string, query: CallRequest<"roleList">): Promise<RoleList> =>
      listRoles(parts, ownerOf(accountId), query),
    /** Throws not-found and image-unreadable; for a consent also consent-missing and voice-missing. */
    async update({ accountId, address }: Creator, id: string, change: RoleChange): Promise<Role> {
      const owner = ownerOf(accountId);
      const made = (await countOutputs(parts, owner, [id])).get(id) ?? 0;
      const role = await db.transaction().execute(async (trx) => {
        await updateRole(trx, parts, { owner, id, address, change });
        return getRole(trx, id, { made, isProofRequired: parts.isProofRequired });
      });
      if (change.consent) queue.wake();
      await files.removeExpired();
      return role;
    },
    /** Throws not-found, consent-missing, voice-missing, proof-missing, and forbidden for a role withdrawn by a review. */
    publish: (accountId: string, id: string, isPublic: boolean): Promise<void> =>
      publishRole(parts, { owner: ownerOf(accountId), id, isPublic }),
    /** With recording, consent, preview, picture and the owner's generations; idempotent. */
    remove: (accountId: string, ids: string[]): Promise<void> => removeRoles(parts, accountId, [...new Set(ids)]),
    /** For the owner's export. */
    async listOf(accountId: string): Promise<object[]> {
      const { list } = await listRoles(parts, ownerOf(accountId), everything);
      const consents = await db.selectFrom("role_consent").selectAll().where("account_id", "=", accountId).execute();
      return list.map((role) => ({
        ...role,
        consent: consents.find(({ role_id }) => role_id === role.roleId) ?? null,
      }));
    },
    // An enrolment is cancelled by deleting its role.
    cancel: async () => false,
    async retry(owner: Owner, taskId: string) {
      const found = await db.transaction().execute(async (trx) => {
        const own = trx.selectFrom("role").select(["id", "status"]).where("id", "=", taskId).where("owner", "=", owner);
        const role = await own.forUpdate().executeTakeFirst();
        if (role?.status === 3) await startEnrolment(trx, parts, { id: role.id, owner: owner as AccountOwner });
        return role !== undefined;
      });
      if (found) queue.wake();
      return found;
    },
    handlers: { [roleKind]: createRoleJob(parts) as JobHandler },
    /** For the receipt of a deletion. */
    counts: {
      roles: (trx: Db, owner: Owner) => countRows(trx.selectFrom("role").where("owner", "=", owner)),
    },
    /** Stops and deletes all roles of an owner with their consents; files stay. */
    async forget(trx: Db, owner: Owner) {
      // Jobs before roles, in the order of a worker, to prevent deadlocks.
      const running = trx.selectFrom("role").select("job_id").where("owner", "=", owner).where("status", "=", 1);
      for (const { job_id } of await running.execute()) if (job_id) await queue.cancel(trx, job_id);
      await trx.deleteFrom("role").where("owner", "=", owner).execute();
    },
    sweep: (): Promise<void> => sweepRecordings(parts),
  };
}

/** Absent fields stay as they are. */
type RoleChange = Omit<CallRequest<"roleUpdate">, "roleId">;

type ChangeParts = Pick<RoleParts, "db" | "files" | "isProofRequired">;

/** The owner's role, locked. Throws not-found for another owner's role too. */
async function lockRole(trx: Db, owner: AccountOwner, id: string) {
  const role = await trx
    .selectFrom("role")
    .select(["id", "avatar_id", "is_shown", "review", "status", "preview_id", "recording_id", "design"])
    .where("id", "=", id)
    .where("owner", "=", owner)
    .forUpdate()
    .executeTakeFirst();
  if (!role) throw new AppError("not-found", "no such role");
  return role;
}

async function updateRole(
  trx: Db,
  parts: Pick<RoleParts, "files" | "queue" | "publish">,
  { owner, id, address, change }: { owner: AccountOwner; id: string; address: string; change: RoleChange },
): Promise<void> {
  const role = await lockRole(trx, owner, id);
  if (change.consent) await allowVendors(trx, parts, { ...role, owner, agreement: { ...change.consent, address } });
  const { name, describe, gender, tags } = change;
  const appearance = await toAppearanceColumns(trx, parts, { ...change, owner });
  const texts = Object.entries({ name, describe, gender, tags }).filter(([, value]) => value !== undefined);
  const columns = { ...Object.fromEntries(texts), ...appearance };
  if (Object.keys(columns).length > 0) {
    await trx.updateTable("role").set(columns).where("id", "=", id).execute();
  }
  if (appearance.avatar === undefined) return;
  const given = fileIdsOf([appearance.avatar]);
  if (role.avatar_id && given.includes(role.avatar_id)) return;
  await dropAvatar(trx, parts, { owner, id: role.avatar_id });
  await parts.files.show(trx, given, role.is_shown);
}

interface VendorAgreement {
  id: string;
  owner: AccountOwner;
  recording_id: string | null;
  status: number;
  agreement: { statementId: string; acceptFee?: boolean | undefined; address: string };
}

/** Learns the voice again with vendors. Throws consent-missing for another statement, voice-missing for a voice that is not ready. */
async function allowVendors(
  trx: Db,
  parts: Pick<RoleParts, "queue" | "publish">,
  { id, owner, recording_id, status, agreement }: VendorAgreement,
) {
  const statement = requireStatement(agreement.statementId);
  if (!vendorStatementIds.includes(statement.statement_id)) {
    throw new AppError("consent-missing", "the statement allows no vendors");
  }
  if (!recording_id || status !== 2) throw new AppError("voice-missing", "the voice is not ready");
  await insertConsent(trx, recording_id, { ...statement, address: agreement.address });
  if (agreement.acceptFee) await acceptFee(trx, recording_id);
  // A clone that was never used may have expired.
  await trx.updateTable("recording").set({ profile_key: null }).where("id", "=", recording_id).execute();
  await startEnrolment(trx, parts, { id, owner });
}

async function requireConsented(trx: Db, roleId: string): Promise<void> {
  const consent = trx.selectFrom("role_consent").select("role_id").where("role_id", "=", roleId);
  if (!(await consent.executeTakeFirst())) throw new AppError("consent-missing", "no consent");
}

/** Publishes a role with a ready voice, which is proven and consented to or designed, or unpublishes it. A role withdrawn by a review stays unpublished. */
async function publishRole(
  { db, files, isProofRequired }: ChangeParts,
  { owner, id, isPublic }: { owner: AccountOwner; id: string; isPublic: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const role = await lockRole(trx, owner, id);
    if (isPublic) {
      const isDesigned = !role.recording_id && role.design !== null;
      if (!isDesigned) await requireConsented(trx, id);
      if (role.status !== 2) throw new AppError("voice-missing", "the voice is not ready");
      if (isProofRequired && !isDesigned && !(role.recording_id && (await isProven(trx, role.recording_id)))) {
        throw new AppError("proof-missing", "the voice is not proven");
      }
      if (role.review === "withdrawn") throw new AppError("forbidden", "withdrawn by a review");
    }
    await trx.updateTable("role").set({ is_public: isPublic }).where("id", "=", id).execute();
    await createShowRole(files)(trx, role, isPublic && role.review !== "open");
  });
}
