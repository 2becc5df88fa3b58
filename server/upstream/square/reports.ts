import { sql } from "kysely";
import type { CallRequest } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { Owner } from "../owner";

export interface Reporter {
  owner: Owner;
  address: string;
}

export type Reports = ReturnType<typeof createReports>;

/** Makes a role's preview and picture public, or private to its owner. */
export type ShowRole = (
  trx: Db,
  role: { avatar_id: string | null; preview_id: string | null },
  isPublic: boolean,
) => Promise<void>;

const reportersToHide = 3;

/** Reports about roles on the square. */
export function createReports({ db, show }: { db: Db; show: ShowRole }) {
  return {
    /**
     * Files a reason, one per role and reporter. Three different reporters, or the role's own account, hide a member's role
     * until an operator reviews it. Throws not-found for a role that is not on the square.
     */
    file: (reporter: Reporter, { roleId, reason }: CallRequest<"roleReport">): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const columns = ["id", "owner", "avatar_id", "preview_id", "review"] as const;
        const found = trx.selectFrom("role").select(columns).where("id", "=", roleId).where("is_public", "=", true);
        const role = await found.forUpdate().executeTakeFirst();
        if (!role || role.review === "withdrawn") throw new AppError("not-found", "not on the square");
        await insertReport(trx, { roleId, reason, ...reporter });
        // Reports never hide the product's own roles, which would empty the square.
        if (role.owner === null || role.review === "open") return;
        if (reporter.owner !== role.owner && (await countReporters(trx, roleId)) < reportersToHide) return;
        await trx.updateTable("role").set({ review: "open" }).where("id", "=", roleId).execute();
        await show(trx, role, false);
      }),
    /** For the reporter's export. */
    listOf: (owner: Owner): Promise<object[]> =>
      db
        .selectFrom("role_report")
        .select(["role_id as roleId", "reason", "created_at as createdAt"])
        .where("reporter", "=", owner)
        .orderBy("created_at")
        .execute(),
    async handOver(trx: Db, from: Owner, to: Owner) {
      const reported = trx.selectFrom("role_report").select("role_id").where("reporter", "=", to);
      await trx.deleteFrom("role_report").where("reporter", "=", from).where("role_id", "in", reported).execute();
      await trx.updateTable("role_report").set({ reporter: to }).where("reporter", "=", from).execute();
    },
    /** Anonymises the reporter; the reports stay. */
    async forget(trx: Db, owner: Owner) {
      const anonymous = sql<string>`'gone:' || id`;
      await trx
        .updateTable("role_report")
        .set({ reporter: anonymous, address: "" })
        .where("reporter", "=", owner)
        .execute();
    },
  };
}

interface NewReport extends Reporter {
  roleId: string;
  reason: string;
}

/** A reporter's second report counts only after a review. */
async function insertReport(trx: Db, { roleId, reason, owner, address }: NewReport): Promise<void> {
  await trx
    .insertInto("role_report")
    .values({ role_id: roleId, reporter: owner, address, reason })
    .onConflict((conflict) =>
      conflict
        .columns(["role_id", "reporter"])
        .doUpdateSet({ reason, address, created_at: new Date(), reviewed_at: null })
        .where("role_report.reviewed_at", "is not", null),
    )
    .execute();
}

/**
 * Distinct reporters of the open reports: accounts by id, visitors by address, so that new cookies do not count again.
 * Deleted accounts do not count, since one phone could delete and return.
 */
async function countReporters(trx: Db, roleId: string): Promise<number> {
  const open = trx.selectFrom("role_report").select(["reporter", "address"]).where("role_id", "=", roleId);
  const rows = await open.where("reviewed_at", "is", null).where("reporter", "not like", "gone:%").execute();
  return new Set(rows.map(({ reporter, address }) => (reporter.startsWith("visitor:") ? address : reporter))).size;
}
