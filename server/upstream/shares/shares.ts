import { randomBytes } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { isAccount, type Owner } from "../owner";
import { allOf, newestOf, orderOf, readPage, shanghaiTime, toUuids } from "../sql-fragments";
import { findWork, hasWork, type SharedWork } from "./works";

export type Share = CallData<"shareCreate">;

export type Shares = ReturnType<typeof createShares>;

const idBytes = 18;
const reportersToHide = 3;
/** Days for which a revoked page answers that it is gone. */
const goneDays = 90;

const newestFirst = newestOf("share");

const missing = (isGone = false) => new AppError("not-found", "no such page", isGone ? { data: { isGone } } : {});

const pagesPerSweep = 1000;

/** Public pages of results. */
export function createShares(db: Db) {
  /** The live page and its result. */
  const findLive = async (shareId: string) => {
    const row = await db.selectFrom("share").selectAll().where("id", "=", shareId).executeTakeFirst();
    if (!row) throw missing();
    const work = row.revoked_at === null && !row.is_hidden ? await findWork(db, row) : null;
    if (!work) throw missing(true);
    return { row, work };
  };

  return {
    /** Makes a finished result public, or answers its page. Throws not-found for another owner's result too. */
    create: (owner: Owner, request: CallRequest<"shareCreate">) => createPage(db, owner, request),
    /** Throws not-found for another owner's page too. */
    async revoke(owner: Owner, shareId: string) {
      const live = db.updateTable("share").set({ revoked_at: new Date() }).where("id", "=", shareId);
      const [revoked] = await live.where("owner", "=", owner).where("revoked_at", "is", null).returning("id").execute();
      if (revoked) return;
      const own = db.selectFrom("share").select("id").where("id", "=", shareId).where("owner", "=", owner);
      if (!(await own.executeTakeFirst())) throw missing();
    },
    list(owner: Owner, { kind, id, ...page }: CallRequest<"shareList">): Promise<CallData<"shareList">> {
      const conditions = [sql<SqlBool>`owner = ${owner}`, sql<SqlBool>`revoked_at is null`];
      if (kind) conditions.push(sql<SqlBool>`kind = ${kind}`);
      if (id) conditions.push(sql<SqlBool>`work_id = any(${toUuids([id])}::uuid[])`);
      const ids = db.selectFrom("share").select("share.id").where(allOf(conditions));
      return readPage(ids, newestFirst, page, (shown) =>
        selectShares(db).where("share.id", "in", shown).orderBy(orderOf(newestFirst)).execute(),
      );
    },
    /** Throws not-found, with `isGone` for a page that was there. */
    async read(shareId: string): Promise<CallData<"shareInfo">> {
      const { row, work } = await findLive(shareId);
      const { title, lines, roleId, portrait, duration, filmFormat } = work;
      const createdAt = row.created_at.toISOString();
      return {
        ...{ shareId, kind: row.kind, title, lines, roleId, portrait, duration, filmFormat },
        isListed: row.is_listed,
        createdAt,
      };
    },
    /** The page's result and its owner, for files. Throws like `read`. */
    async find(shareId: string): Promise<SharedWork & { owner: string }> {
      const { row, work } = await findLive(shareId);
      return { ...work, owner: row.owner };
    },
    /** One per page and reporter; three reporters hide the page. */
    async report(
      { owner, address }: { owner: Owner; address: string },
      { shareId, reason }: CallRequest<"shareReport">,
    ): Promise<void> {
      await findLive(shareId);
      // Visitors count by address, so that a new cookie is no new reporter.
      const reporter = isAccount(owner) ? owner : `address:${address}`;
      await db
        .insertInto("share_report")
        .values({ share_id: shareId, reporter, reason })
        .onConflict((conflict) => conflict.columns(["share_id", "reporter"]).doNothing())
        .execute();
      await sql`update share set is_hidden = true where id = ${shareId}
        and (select count(*) from share_report where share_id = ${shareId}) >= ${reportersToHide}::int`.execute(db);
    },
    listOf: (owner: Owner) => selectShares(db).where("owner", "=", owner).where("revoked_at", "is", null).execute(),
    async handOver(trx: Db, from: Owner, to: Owner) {
      await trx.updateTable("share").set({ owner: to }).where("owner", "=", from).execute();
    },
    async forget(trx: Db, owner: Owner) {
      await trx.deleteFrom("share").where("owner", "=", owner).execute();
      await trx.deleteFrom("share_report").where("reporter", "=", owner).execute();
    },
    sweep: createSweep(db),
  };
}

const selectShares = (db: Db) =>
  db
    .selectFrom("share")
    .select(["share.id as shareId", "kind", "work_id as id", "is_listed as isListed"])
    .select(shanghaiTime("share.created_at").as("createdAt"));

async function createPage(db: Db, owner: Owner, { kind, id, isListed }: CallRequest<"shareCreate">): Promise<Share> {
  const [workId] = toUuids([id]);
  if (!workId || !(await hasWork(db, { kind, work_id: workId, owner }))) throw missing();
  await db
    .insertInto("share")
    .values({
      id: randomBytes(idBytes).toString("base64url"),
      owner,
      kind,
      work_id: workId,
      is_listed: isListed ?? false,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "work_id"])
        .where("revoked_at", "is", null)
        .doUpdateSet({ owner, ...(isListed !== undefined && { is_listed: isListed }) }),
    )
    .execute();
  const live = selectShares(db).where("kind", "=", kind).where("work_id", "=", workId).where("owner", "=", owner);
  return live.where("revoked_at", "is", null).executeTakeFirstOrThrow();
}

/** Deletes the pages of deleted results, and revoked ones after a while. */
function createSweep(db: Db) {
  let sweptUntil = "";
  return async () => {
    await sql`delete from share where revoked_at < now() - make_interval(days => ${goneDays}::int)`.execute(db);
    // A part of the pages per sweep, in the order of their ids: a deleted result's page answers that it is gone anyway.
    const checked = await db
      .selectFrom("share")
      .select("id")
      .where("id", ">", sweptUntil)
      .orderBy("id")
      .limit(pagesPerSweep)
      .execute();
    sweptUntil = checked.length === pagesPerSweep ? (checked.at(-1)?.id ?? "") : "";
    if (checked.length === 0) return;
    const ids = checked.map(({ id }) => id);
    await sql`delete from share where id = any(${ids}::text[]) and (
      (kind = 'clone' and not exists (select 1 from clone where clone.id = work_id))
      or (kind = 'dub' and not exists (select 1 from dub where dub.id = work_id))
      or (kind = 'video' and not exists (select 1 from video where video.id = work_id))
      or (kind = 'trial' and not exists (select 1 from trial where trial.id = work_id)))`.execute(db);
  };
}
