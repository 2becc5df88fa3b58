import { type Selectable, sql } from "kysely";
import type { LedgerEntry } from "~server/contract/calls/users";
import { plainText } from "~server/contract/marks";
import { toLocalTime } from "../calendar";
import type { Db } from "../db/database";
import type { LedgerTable } from "../db/tables/billing";
import { readPage } from "../sql-fragments";
import { readGrants } from "./membership";
import type { Snapshot } from "./products";
import { toSteps } from "./steps";
import { subjectOf } from "./subject";

export interface Page {
  page: number;
  pageSize: number;
}

/** Every character and fen of an account, newest first. */
export async function listLedger(db: Db, { accountId, page, pageSize }: Page & { accountId: string }) {
  const ids = db.selectFrom("ledger").select("id").where("account_id", "=", accountId);
  const { list: rows, ...found } = await readPage(ids, [["id", "desc"]], { page, pageSize }, (shown) =>
    db.selectFrom("ledger").selectAll().where("id", "in", shown).orderBy("id", "desc").execute(),
  );
  const [subjects, ends] = await Promise.all([
    readSubjects(db, [...new Set(rows.map(refOf))]),
    readEnds(db, accountId, rows),
  ]);
  const list = rows.map(
    (row): LedgerEntry => ({
      entryId: row.id,
      kind: row.kind,
      bucket: row.bucket,
      characters: row.characters,
      amountFen: row.amount_fen,
      ref: refOf(row),
      subject: subjects.get(refOf(row)) ?? "",
      endsAt: (row.kind === "grant" && ends.get(row.period)) || "",
      createdAt: toLocalTime(row.created_at),
    }),
  );
  return { list, ...found };
}

/** When the granted characters of the rows end, by their period. */
async function readEnds(db: Db, accountId: string, rows: Array<Selectable<LedgerTable>>): Promise<Map<string, string>> {
  const periods = rows.flatMap(({ kind, period }) => (kind === "grant" && period !== "" ? [period] : []));
  if (periods.length === 0) return new Map();
  const stored = db.selectFrom("quota_bucket").select(["period", "ends_at"]).where("account_id", "=", accountId);
  const packs = await stored.where("period", "in", periods).where("ends_at", "is not", null).execute();
  const ofPacks = packs.map(({ period, ends_at }) => [period, ends_at] as const);
  const ofSteps = toSteps(await readGrants(db, accountId)).map(
    ({ period, endsAt }) => [period, new Date(endsAt * 1000)] as const,
  );
  return new Map([...ofPacks, ...ofSteps].map(([period, end]) => [period, end ? toLocalTime(end) : ""]));
}

const refOf = ({ order_id, ref }: { order_id: string | null; ref: string }) => order_id ?? ref;

const subjectMax = 40;
/** Marks are longer than what they leave. */
const start = (text: string) => sql<string>`left(${sql.ref(text)}, ${5 * subjectMax})`;
const toSubject = (text: string) => [...plainText(text).trim()].slice(0, subjectMax).join("");

/** What tasks made and orders bought, by their id. */
async function readSubjects(db: Db, refs: string[]): Promise<Map<string, string>> {
  const ids = refs.filter((ref) => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(ref));
  if (ids.length === 0) return new Map();
  const [clones, dubs, orders] = await Promise.all([
    db
      .selectFrom("clone")
      .select(["id", start("content").as("subject")])
      .where("id", "in", ids)
      .execute(),
    db
      .selectFrom("dub")
      .leftJoin("dub_line", (join) => join.onRef("dub_line.dub_id", "=", "dub.id").on("dub_line.number", "=", 0))
      .select(["dub.id", sql<string>`coalesce(nullif(dub.title, ''), ${start("dub_line.content")}, '')`.as("subject")])
      .where("dub.id", "in", ids)
      .execute(),
    db.selectFrom("pay_order").select(["id", "snapshot"]).where("id", "in", ids).execute(),
  ]);
  const bought = orders.map(({ id, snapshot }) => ({ id, subject: subjectOf(snapshot as Snapshot) }));
  return new Map([...clones, ...dubs, ...bought].map(({ id, subject }) => [id, toSubject(subject)]));
}
