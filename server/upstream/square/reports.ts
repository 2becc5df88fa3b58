import { sql } from "kysely";
import type { CallRequest } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { Owner } from "../voices/ports";

export interface Reporter {
  owner: Owner;
  address: string;
}

export interface Reports {
  /**
   * Files why; a person's role is hidden at once until somebody has looked at it. One report per role and reporter. Throws
   * not-found for what is not on the square.
   */
  file(reporter: Reporter, report: CallRequest<"roleReport">): Promise<void>;
  /** For the reporter's export. */
  listOf(owner: Owner): Promise<object[]>;
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  /** What was reported stays, nobody knows by whom. */
  forget(trx: Db, owner: Owner): Promise<void>;
}

/** Lets everybody have a role's preview and picture, or its owner alone. */
export type ShowRole = (
  trx: Db,
  role: { avatar: string; preview_id: string | null },
  isPublic: boolean,
) => Promise<void>;

/** Reporters it takes to hide a role, and to hide it again after a review has kept it. */
const reportersToHide = 1;
const reportersToHideAgain = 3;

/** What people find wrong on the square. */
export function createReports({ db, show }: { db: Db; show: ShowRole }): Reports {
  return {
    file: (reporter, { roleId, reason }) =>
      db.transaction().execute(async (trx) => {
        const columns = ["id", "owner", "avatar", "preview_id", "review"] as const;
        const found = trx.selectFrom("role").select(columns).where("id", "=", roleId).where("is_public", "=", true);
        const role = await found.forUpdate().executeTakeFirst();
        if (!role || role.review === "withdrawn") throw new AppError("not-found", "not on the square");
        await insertReport(trx, { roleId, reason, ...reporter });
        // The product's own are looked at without being hidden: nobody could take the square apart.
        if (role.owner === null || role.review === "open") return;
        const needed = role.review === "kept" ? reportersToHideAgain : reportersToHide;
        if ((await countReporters(trx, roleId)) < needed) return;
        await trx.updateTable("role").set({ review: "open" }).where("id", "=", roleId).execute();
        await show(trx, role, false);
      }),
    listOf: (owner) =>
      db
        .selectFrom("role_report")
        .select(["role_id as roleId", "reason", "created_at as createdAt"])
        .where("reporter", "=", owner)
        .orderBy("created_at")
        .execute(),
    async handOver(trx, from, to) {
      const reported = trx.selectFrom("role_report").select("role_id").where("reporter", "=", to);
      await trx.deleteFrom("role_report").where("reporter", "=", from).where("role_id", "in", reported).execute();
      await trx.updateTable("role_report").set({ reporter: to }).where("reporter", "=", from).execute();
    },
    async forget(trx, owner) {
      const nobody = sql<string>`'gone:' || id`;
      await trx
        .updateTable("role_report")
        .set({ reporter: nobody, address: "" })
        .where("reporter", "=", owner)
        .execute();
    },
  };
}

interface NewReport extends Reporter {
  roleId: string;
  reason: string;
}

/** A second one of the same reporter counts anew after a review alone. */
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

/** Accounts, and addresses of visitors: a fresh visitor id alone is nobody new. */
async function countReporters(trx: Db, roleId: string): Promise<number> {
  const open = trx.selectFrom("role_report").select(["reporter", "address"]).where("role_id", "=", roleId);
  const rows = await open.where("reviewed_at", "is", null).execute();
  return new Set(rows.map(({ reporter, address }) => (reporter.startsWith("visitor:") ? address : reporter))).size;
}
