import { sql } from "kysely";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { afterRow, type KeysetPage } from "../sql-fragments";
import type { ShowRole } from "./reports";

export interface OpenReport {
  id: string;
  roleId: string;
  name: string;
  /** Null for the product's own roles. */
  owner: string | null;
  isHidden: boolean;
  reporter: string;
  reason: string;
  filedAt: Date;
}

/** Operators' decisions about reports. Each writes an audit row in its own transaction. */
export type Reviews = ReturnType<typeof createReviews>;

/** `operator` is the name in the audit. */
export function createReviews({ db, show }: { db: Db; show: ShowRole }, operator: string) {
  const decide = (roleId: string, review: "kept" | "withdrawn") =>
    db.transaction().execute(async (trx) => {
      const columns = ["avatar_id", "preview_id", "is_public", "owner", "review"] as const;
      const role = await trx.selectFrom("role").select(columns).where("id", "=", roleId).forUpdate().executeTakeFirst();
      if (!role) throw new AppError("not-found", "no such role");
      const reports = await closeReports(trx, roleId);
      if (review === "kept" && reports === 0 && role.review === null) {
        throw new AppError("not-found", "the role has no reports");
      }
      await trx.updateTable("role").set({ review }).where("id", "=", roleId).execute();
      // The product's own roles stay public.
      if (role.owner !== null) await show(trx, role, role.is_public && review === "kept");
      const action = review === "kept" ? "keep-role" : "withdraw-role";
      const detail = JSON.stringify({ reports });
      await trx.insertInto("audit").values({ operator, action, target: roleId, detail }).execute();
    });

  return {
    /** Open reports, oldest first. */
    async list({ limit, after }: KeysetPage = {}): Promise<OpenReport[]> {
      let open = db
        .selectFrom("role_report")
        .innerJoin("role", "role.id", "role_report.role_id")
        .select(["role.id as roleId", "role.name", "role.owner", "role.review", "reporter", "role_report.reason"])
        .select(["role_report.created_at as filedAt", "role_report.id"])
        .where("reviewed_at", "is", null)
        .orderBy("role_report.created_at")
        .orderBy("role_report.id");
      if (limit !== undefined) open = open.limit(limit);
      if (after !== undefined) open = open.where(afterRow("role_report", after, { isOldestFirst: true }));
      return (await open.execute()).map(({ review, ...report }) => ({ ...report, isHidden: review === "open" }));
    },
    /** Shows the role again. Throws not-found for a role without reports. */
    keep: (roleId: string): Promise<void> => decide(roleId, "kept"),
    /** Hides the role for good: its owner cannot publish it again. Throws not-found. */
    withdraw: (roleId: string): Promise<void> => decide(roleId, "withdrawn"),
  };
}

async function closeReports(trx: Db, roleId: string): Promise<number> {
  const open = trx.updateTable("role_report").set({ reviewed_at: new Date() }).where("role_id", "=", roleId);
  return (await open.where("reviewed_at", "is", null).returning("id").execute()).length;
}

/** Roles that are withdrawn now, by the audit row of their latest withdrawal, newest first. */
export function listWithdrawn(db: Db, { limit, after }: KeysetPage & { limit: number }) {
  const latest = sql<string>`(select id from audit as act where act.target = role.id and act.action = 'withdraw-role'
    order by act.created_at desc, act.id limit 1)`;
  const withdrawn = db
    .selectFrom("audit")
    .innerJoin("role", "role.id", "audit.target")
    .select(["audit.id", "role.id as roleId", "name", "owner", "review as state", "operator"])
    .select("audit.created_at as withdrawnAt")
    .where("role.review", "=", "withdrawn")
    .where("audit.id", "=", latest)
    .orderBy("audit.created_at", "desc")
    .orderBy("audit.id")
    .limit(limit);
  return (after === undefined ? withdrawn : withdrawn.where(afterRow("audit", after))).execute();
}
