import { sql } from "kysely";
import { toSeconds } from "../calendar";
import type { Db } from "../db/database";
import { type Grant, type GrantChange, type GrantRow, grantsOf, toGrants, toMembership } from "./membership";

const noticeSeconds = 3 * 86_400;

/** When the last of an account's tiers ends, in Unix seconds; 0 where none ever ran. */
export function endOf(rows: ReadonlyArray<Grant | GrantChange>, now: number): number {
  const { vipExpire, svipExpire } = toMembership(rows, now);
  return Math.max(vipExpire, svipExpire);
}

/**
 * What is due about the end of a membership, in Unix seconds: the end that its owner is told of now, or when to look
 * again. Both null where it is over, and where time was granted or taken back in its last three days, which its owner knows of.
 */
export function planExpiry(
  rows: ReadonlyArray<Grant | GrantChange>,
  now: number,
): { tells: number | null; checksAt: number | null } {
  const end = endOf(rows, now);
  const noticeAt = end - noticeSeconds;
  if (end <= now) return { tells: null, checksAt: null };
  if (now < noticeAt) return { tells: null, checksAt: noticeAt };
  const isChangedLately = rows.some(({ at }) => at > noticeAt);
  return { tells: isChangedLately ? null : end, checksAt: null };
}

interface MembershipEnd {
  accountId: string;
  /** Unix seconds. */
  endsAt: number;
}

const batch = 100;

/** Calls `tell` once for each membership that ends within three days, in the transaction that notes it. */
export async function takeExpiries(db: Db, now: Date, tell: (trx: Db, end: MembershipEnd) => Promise<void>) {
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ accountId: string; grants: GrantRow[] }>`
        select account_id as "accountId", ${grantsOf(sql`wallet.account_id`)} as grants from wallet
        where expiry_check_at <= ${now} order by expiry_check_at limit ${batch} for no key update skip locked`.execute(
        trx,
      );
      for (const { accountId, grants } of rows) {
        const { tells, checksAt } = planExpiry(toGrants(grants), toSeconds(now));
        if (tells !== null) await tell(trx, { accountId, endsAt: tells });
        const change = { expiry_check_at: checksAt === null ? null : new Date(checksAt * 1000) };
        await trx.updateTable("wallet").set(change).where("account_id", "=", accountId).execute();
      }
      return rows.length;
    });
    if (count < batch) return;
  }
}
