import { type SqlBool, sql } from "kysely";
import { markAgreement } from "~server/contract/audible-mark";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { toLocalTime } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { idOfOwner, isAccount, type Owner } from "../owner";

type AudibleMark = CallData<"audibleMark">;

export type MarkAgreements = ReturnType<typeof createMarkAgreements>;

interface MarkParts {
  db: Db;
  /** The account's present tier. */
  tierOf(accountId: string): Promise<"vip" | "svip" | null>;
}

/** Measures for Labeling AI-Generated Content, article 9: the log is kept for at least six months. */
const logMonths = 6;

/**
 * Members' agreements to download without the audible mark: who, when, from where, to which text. A row names its person
 * by the phone's keyed hash, so that it can still be found after the account's deletion.
 */
export function createMarkAgreements({ db, tierOf }: MarkParts) {
  const active = (trx: Db, accountId: string) =>
    trx.selectFrom("mark_agreement").selectAll().where("account_id", "=", accountId).where("ended_at", "is", null);

  const read = async (accountId: string): Promise<AudibleMark> => {
    const agreement = await active(db, accountId).executeTakeFirst();
    return {
      isWaived: agreement !== undefined,
      isMember: (await tierOf(accountId)) !== null,
      agreedAt: agreement ? toLocalTime(agreement.agreed_at) : "",
    };
  };

  const agree = async (accountId: string, address: string) => {
    const owner = db.selectFrom("account").select("phone_hash").where("id", "=", accountId);
    const { phone_hash: owner_hash } = await owner.executeTakeFirstOrThrow();
    const { version: text_version, sha256: text_sha256 } = markAgreement;
    await db
      .insertInto("mark_agreement")
      .values({ account_id: accountId, owner_hash, text_version, text_sha256, address })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };

  return {
    read,
    /** Throws entitlement `{reason: "tier"}` without a tier, and bad-request for another text than today's. */
    async change(
      accountId: string,
      { isWaived, sha256 }: CallRequest<"audibleMarkChange">,
      address: string,
    ): Promise<AudibleMark> {
      if (!isWaived) {
        const ended = { ended_at: sql<Date>`now()`, ended_address: address };
        await db
          .updateTable("mark_agreement")
          .set(ended)
          .where("account_id", "=", accountId)
          .where("ended_at", "is", null)
          .execute();
        return read(accountId);
      }
      if (sha256 !== markAgreement.sha256) throw new AppError("bad-request", "not today's agreement", { status: 400 });
      if (!(await tierOf(accountId))) throw new AppError("entitlement", "for members", { data: { reason: "tier" } });
      await agree(accountId, address);
      return read(accountId);
    },
    /** Whether an owner's downloads are made without the audible mark: with an agreement and a tier, both now. */
    async isWaived(owner: Owner | null): Promise<boolean> {
      if (!owner || !isAccount(owner)) return false;
      const accountId = idOfOwner(owner);
      return (await active(db, accountId).executeTakeFirst()) !== undefined && (await tierOf(accountId)) !== null;
    },
    /** The log of an account, for its export. */
    listOf: (accountId: string): Promise<object[]> =>
      db
        .selectFrom("mark_agreement")
        .select(["text_version", "text_sha256", "agreed_at", "address", "ended_at", "ended_address"])
        .where("account_id", "=", accountId)
        .orderBy("agreed_at")
        .execute(),
    /** Ends the agreement of a deleted account. Its log stays, without a link to the account. */
    async forget(trx: Db, owner: Owner) {
      if (!isAccount(owner)) return;
      await trx
        .updateTable("mark_agreement")
        .set({ account_id: null, ended_at: sql<Date>`coalesce(ended_at, now())` })
        .where("account_id", "=", idOfOwner(owner))
        .execute();
    },
    /** Deletes agreements that ended more than six months ago. */
    async sweep() {
      const isOver = sql<SqlBool>`ended_at < now() - make_interval(months => ${logMonths}::int)`;
      await db.deleteFrom("mark_agreement").where(isOver).execute();
    },
  };
}
