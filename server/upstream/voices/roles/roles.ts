import type { CallRequest } from "~server/contract/calls/table";
import type { Db } from "../../db/database";
import type { JobHandler } from "../../jobs/handler";
import { type AccountOwner, type Owner, ownerOf } from "../../owner";
import type { OwnedTasks } from "../../task-status";
import { publishRole, type RoleChange, updateRole } from "./change";
import { type Creator, createRole, type NewRole } from "./creation";
import { createRoleJob, startEnrolment } from "./enrolment";
import { countOutputs, getRole, listRoles, type Role, type RoleList } from "./list";
import { type RoleParts, roleKind } from "./parts";
import { removeRoles, sweepRecordings } from "./removal";

/** The roles of accounts. Another account's id answers like a missing one. */
export interface Roles extends OwnedTasks {
  /**
   * Throws `consent-missing`, `voice-missing`, `image-unreadable`, and entitlement `{reason: "tier", limit}`; nothing is
   * stored then. The same key gets the same answer.
   */
  create(creator: Creator, request: NewRole, key?: string): Promise<Role>;
  list(accountId: string, query: CallRequest<"roleList">): Promise<RoleList>;
  /** Throws not-found and image-unreadable; for a consent also consent-missing and voice-missing. */
  update(changer: Creator, id: string, change: RoleChange): Promise<Role>;
  /** Throws not-found, consent-missing, voice-missing, proof-missing, and forbidden for a role withdrawn by a review. */
  publish(accountId: string, id: string, isPublic: boolean): Promise<void>;
  /** With recording, consent, preview, picture and the owner's generations; idempotent. */
  remove(accountId: string, ids: string[]): Promise<void>;
  /** For the owner's export. */
  listOf(accountId: string): Promise<object[]>;
  handlers: Record<string, JobHandler>;
  /** For the receipt of a deletion. */
  counts: { roles(trx: Db, owner: Owner): Promise<number> };
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  /** Stops and deletes all roles of an owner with their consents; files stay. */
  forget(trx: Db, owner: Owner): Promise<void>;
  sweep(): Promise<void>;
}

const everything = { page: 1, pageSize: 100_000 };

export function createRoles(parts: RoleParts): Roles {
  const { db, queue, files } = parts;
  return {
    create: (creator, request, key) => createRole(parts, creator, request, key),
    list: (accountId, query) => listRoles(parts, ownerOf(accountId), query),
    async update({ accountId, address }, id, change) {
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
    publish: (accountId, id, isPublic) => publishRole(parts, { owner: ownerOf(accountId), id, isPublic }),
    remove: (accountId, ids) => removeRoles(parts, accountId, [...new Set(ids)]),
    async listOf(accountId) {
      const { list } = await listRoles(parts, ownerOf(accountId), everything);
      const consents = await db.selectFrom("role_consent").selectAll().where("account_id", "=", accountId).execute();
      return list.map((role) => ({
        ...role,
        consent: consents.find(({ role_id }) => role_id === role.roleId) ?? null,
      }));
    },
    // An enrolment is cancelled by deleting its role.
    cancel: async () => false,
    async retry(owner, taskId) {
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
    counts: {
      async roles(trx, owner) {
        const rows = trx.selectFrom("role").where("owner", "=", owner);
        const { count } = await rows.select((eb) => eb.fn.countAll<string>().as("count")).executeTakeFirstOrThrow();
        return Number(count);
      },
    },
    // Visitors have no roles.
    handOver: async () => {},
    async forget(trx, owner) {
      // Jobs before roles, in the order of a worker, to prevent deadlocks.
      const running = trx.selectFrom("role").select("job_id").where("owner", "=", owner).where("status", "=", 1);
      for (const { job_id } of await running.execute()) if (job_id) await queue.cancel(trx, job_id);
      await trx.deleteFrom("role").where("owner", "=", owner).execute();
    },
    sweep: () => sweepRecordings(parts),
  };
}
