import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { projectMaxBytes, projectRestoreDays, projectsMax } from "~server/contract/limits";
import { toLocalTime } from "../calendar";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import type { DeveloperTables } from "../db/tables/developers";
import { AppError } from "../errors";
import { idOfOwner, isAccount, type Owner, ownerOf } from "../owner";
import { contains, countRows } from "../sql-fragments";

type ProjectSummary = CallData<"projectRename">;
type ProjectRow = Omit<DeveloperTables["project"], "document" | "account_id">;

const summaryColumns = [
  ...(["id", "kind", "title", "excerpt", "lines", "characters"] as const),
  ...(["revision", "updated_at", "deleted_at"] as const),
];
const thisMillisecond = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;
const restorableSince = sql<Date>`now() - make_interval(days => ${projectRestoreDays})`;

const toSummary = ({ id, updated_at, deleted_at, ...same }: ProjectRow): ProjectSummary => ({
  ...{ projectId: id, ...same },
  updatedAt: toLocalTime(updated_at),
  deletedAt: deleted_at ? toLocalTime(deleted_at) : "",
});

/** The projects of accounts: documents that the server keeps and does not read. */
export class Projects {
  readonly #db: Db;
  readonly #once: Once;

  constructor(db: Db, once: Once) {
    this.#db = db;
    this.#once = once;
  }

  async list(accountId: string, query: CallRequest<"projectList">): Promise<CallData<"projectList">> {
    const { kind, keyword, withDeleted, cursor, pageSize } = query;
    let rows = this.#db
      .selectFrom("project")
      .select(summaryColumns)
      .where("account_id", "=", accountId)
      .where("kind", "=", kind)
      .orderBy("updated_at", "desc")
      .orderBy("id", "desc")
      .limit(pageSize + 1);
    if (!withDeleted) rows = rows.where("deleted_at", "is", null);
    if (keyword) rows = rows.where(contains(sql`title || chr(10) || excerpt`, keyword));
    if (cursor) {
      const { at, id } = parseCursor(cursor);
      rows = rows.where(sql<boolean>`(updated_at, id) < (${at}, ${id})`);
    }
    const found = await rows.execute();
    const last = found.length > pageSize ? found[pageSize - 1] : undefined;
    const next = last ? `${last.updated_at.getTime()}.${last.id}` : "";
    return { list: found.slice(0, pageSize).map(toSummary), next };
  }

  /** A deleted project too, while it can be restored. */
  async get(accountId: string, projectId: string): Promise<CallData<"projectGet">> {
    const row = await rowOf(this.#db, accountId, projectId)
      .select([...summaryColumns, "document"])
      .executeTakeFirst();
    if (!row) throw projectMissing();
    const { document, ...summary } = row;
    return { ...toSummary(summary), document: JSON.parse(document) };
  }

  /** Saves nothing if the project has another revision. Throws project-limit, and too-large. */
  async put(accountId: string, request: CallRequest<"projectPut">, key: string | undefined) {
    const { projectId: id, baseRevision, document: sent, ...summary } = request;
    const document = JSON.stringify(sent);
    if (Buffer.byteLength(document) > projectMaxBytes)
      throw new AppError("too-large", "the project is too large", { status: 413, data: { limit: projectMaxBytes } });
    const owner = ownerOf(accountId);
    const once = await this.#once({ owner, call: "projectPut", key, request }, async (trx) => {
      await lockAccount(trx, accountId);
      const known = await rowOf(trx, accountId, id).select(["revision", "deleted_at"]).executeTakeFirst();
      if (known && known.revision !== baseRevision) return { isSaved: false, revision: known.revision };
      if (!known || known.deleted_at) await requireRoom(trx, accountId);
      const revision = baseRevision + 1;
      const changed = { ...summary, document, revision, updated_at: thisMillisecond, deleted_at: null };
      await trx
        .insertInto("project")
        .values({ account_id: accountId, id, ...changed })
        .onConflict((conflict) => conflict.columns(["account_id", "id"]).doUpdateSet(changed))
        .execute();
      return { isSaved: true, revision };
    });
    return once.answer;
  }

  rename(accountId: string, projectId: string, title: string): Promise<ProjectSummary> {
    return this.#change(this.#db, accountId, projectId, { title });
  }

  /** The same `copyId` copies once. Throws project-limit. */
  async duplicate(accountId: string, { projectId, copyId, title }: CallRequest<"projectDuplicate">) {
    return this.#db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      const copied = await rowOf(trx, accountId, copyId).select(summaryColumns).executeTakeFirst();
      if (copied) return toSummary(copied);
      const original = await rowOf(trx, accountId, projectId).selectAll().executeTakeFirst();
      if (!original) throw projectMissing();
      await requireRoom(trx, accountId);
      const fresh = { id: copyId, title, revision: 1, updated_at: thisMillisecond, deleted_at: null };
      const values = { ...original, ...fresh };
      const row = trx.insertInto("project").values(values).returning(summaryColumns);
      return toSummary(await row.executeTakeFirstOrThrow());
    });
  }

  /** Deleting what is not there is success. Of the deleted ones the last `projectsMax` can be restored. */
  async remove(accountId: string, projectId: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const deleted_at = sql<Date>`now()`;
      await trx
        .updateTable("project")
        .set({ deleted_at })
        .where("account_id", "=", accountId)
        .where("id", "=", projectId)
        .where("deleted_at", "is", null)
        .execute();
      const last = trx
        .selectFrom("project")
        .select("id")
        .where("account_id", "=", accountId)
        .where("deleted_at", "is not", null)
        .orderBy("deleted_at", "desc")
        .limit(projectsMax);
      await trx
        .deleteFrom("project")
        .where("account_id", "=", accountId)
        .where("deleted_at", "is not", null)
        .where("id", "not in", last)
        .execute();
    });
  }

  /** Throws project-limit. */
  async restore(accountId: string, projectId: string): Promise<ProjectSummary> {
    return this.#db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      const row = await rowOf(trx, accountId, projectId).select(summaryColumns).executeTakeFirst();
      if (row && !row.deleted_at) return toSummary(row);
      await requireRoom(trx, accountId);
      return this.#change(trx, accountId, projectId, { deleted_at: null });
    });
  }

  /** All of an account, deleted ones too. */
  async idsOf(accountId: string): Promise<string[]> {
    const rows = this.#db.selectFrom("project").select("id").where("account_id", "=", accountId).orderBy("id");
    return (await rows.execute()).map(({ id }) => id);
  }

  readonly sweep = async (): Promise<void> => {
    await this.#db.deleteFrom("project").where("deleted_at", "<", restorableSince).execute();
  };

  async forget(trx: Db, owner: Owner): Promise<void> {
    if (isAccount(owner)) await trx.deleteFrom("project").where("account_id", "=", idOfOwner(owner)).execute();
  }

  async #change(
    db: Db,
    accountId: string,
    projectId: string,
    change: Partial<Pick<ProjectRow, "title" | "deleted_at">>,
  ) {
    const row = await db
      .updateTable("project")
      .set((eb) => ({ ...change, revision: eb("revision", "+", 1), updated_at: thisMillisecond }))
      .where("account_id", "=", accountId)
      .where("id", "=", projectId)
      .returning(summaryColumns)
      .executeTakeFirst();
    if (!row) throw projectMissing();
    return toSummary(row);
  }
}

const rowOf = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom("project").where("account_id", "=", accountId).where("id", "=", projectId);

/** Two devices that change projects at once are counted, and compared, one after the other. */
async function lockAccount(trx: Db, accountId: string): Promise<void> {
  await trx.selectFrom("account").select("id").where("id", "=", accountId).forNoKeyUpdate().execute();
}

async function requireRoom(trx: Db, accountId: string): Promise<void> {
  const kept = trx.selectFrom("project").where("account_id", "=", accountId).where("deleted_at", "is", null);
  if ((await countRows(kept)) >= projectsMax)
    throw new AppError("project-limit", "too many projects", { data: { limit: projectsMax } });
}

const projectMissing = () => new AppError("not-found", "no such project", { status: 404 });

function parseCursor(cursor: string): { at: Date; id: string } {
  const [, ms, id] = /^(\d{1,15})\.([\w-]{1,40})$/.exec(cursor) ?? [];
  if (!ms || !id) throw new AppError("bad-request", "malformed: cursor", { status: 400 });
  return { at: new Date(Number(ms)), id };
}
