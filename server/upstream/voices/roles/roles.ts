import type { CallRequest } from "~server/contract/calls/table";
import type { Db } from "../../db/database";
import type { JobHandler } from "../../jobs/handler";
import type { Owner, Stoppable } from "../ports";
import { publishRole, type RoleChange, updateRole } from "./change";
import { type Creator, createRole, type NewRole } from "./creation";
import { createRoleJob, startLearning } from "./learning";
import { countOutputs, getRole, listRoles, type Role, type RoleList } from "./list";
import { type AccountOwner, type RoleParts, roleKind } from "./parts";
import { removeRoles, sweepRecordings } from "./removal";

/** People's own digital humans. Another's id answers like a missing one. */
export interface Roles extends Stoppable {
  /**
   * Throws `consent-missing`, `voice-missing`, `image-unreadable`, and entitlement `{reason: "tier", limit}`; nothing is
   * kept then. The same key gets the same answer.
   */
  create(creator: Creator, request: NewRole, key?: string): Promise<Role>;
  list(accountId: string, query: CallRequest<"roleList">): Promise<RoleList>;
  /** Throws not-found and image-unreadable. */
  update(accountId: string, id: string, change: RoleChange): Promise<Role>;
  /** Throws not-found, consent-missing, voice-missing, and forbidden for what a review took off the square. */
  publish(accountId: string, id: string, isPublic: boolean): Promise<void>;
  /** With recording, consent, preview, picture and what the owner made with it; what is gone already is success. */
  remove(accountId: string, ids: string[]): Promise<void>;
  /** For the owner's export. */
  listOf(accountId: string): Promise<object[]>;
  handlers: Record<string, JobHandler>;
  /** For the receipt of a deletion. */
  counts: { roles(trx: Db, owner: Owner): Promise<number> };
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  /** Stops what runs and forgets them all with their consents; their files are left. */
  forget(trx: Db, owner: Owner): Promise<void>;
  sweep(): Promise<void>;
}

const everything = { page: 1, pageSize: 100_000 };
const toOwner = (accountId: string): AccountOwner => `account:${accountId}`;

export function createRoles(parts: RoleParts): Roles {
  const { db, queue, outputs, files } = parts;
  return {
    create: (creator, request, key) => createRole(parts, creator, request, key),
    list: (accountId, query) => listRoles(parts, toOwner(accountId), query),
    async update(accountId, id, change) {
      const owner = toOwner(accountId);
      const made = (await countOutputs(outputs, owner, [id])).get(id) ?? 0;
      const role = await db.transaction().execute(async (trx) => {
        await updateRole(trx, parts, { owner, id, change });
        return getRole(trx, id, made);
      });
      await files.removeExpired();
      return role;
    },
    publish: (accountId, id, isPublic) => publishRole(parts, { owner: toOwner(accountId), id, isPublic }),
    remove: (accountId, ids) => removeRoles(parts, accountId, [...new Set(ids)]),
    async listOf(accountId) {
      const { list } = await listRoles(parts, toOwner(accountId), everything);
      const consents = await db.selectFrom("role_consent").selectAll().where("account_id", "=", accountId).execute();
      return list.map((role) => ({
        ...role,
        consent: consents.find(({ role_id }) => role_id === role.roleId) ?? null,
      }));
    },
    // A role that is not wanted any more is deleted, whether it was learned or not.
    cancel: async () => false,
    async retry(owner, taskId) {
      const found = await db.transaction().execute(async (trx) => {
        const own = trx.selectFrom("role").select(["id", "status"]).where("id", "=", taskId).where("owner", "=", owner);
        const role = await own.forUpdate().executeTakeFirst();
        if (role?.status === 3) await startLearning(trx, parts, { id: role.id, owner: owner as AccountOwner });
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
    // Visitors have none.
    handOver: async () => {},
    async forget(trx, owner) {
      // Jobs before roles, in the order a worker takes them: nobody waits in a circle.
      const running = trx.selectFrom("role").select("job_id").where("owner", "=", owner).where("status", "=", 1);
      for (const { job_id } of await running.execute()) if (job_id) await queue.cancel(trx, job_id);
      await trx.deleteFrom("role").where("owner", "=", owner).execute();
    },
    sweep: () => sweepRecordings(parts),
  };
}
