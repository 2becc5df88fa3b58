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

type LedgerRow = Omit<Selectable<LedgerTable>, "kind" | "account_id"> & Pick<LedgerEntry, "kind">;

/** Every character and fen of an account, newest first: the ledger's rows, with derived lines between them. */
export async function listLedger(db: Db, { accountId, page, pageSize }: Page & { accountId: string }, now: Date) {
  const { derived, ends } = await readDerived(db, accountId, now);
  const skipped = (page - 1) * pageSize;
  // Up to all derived lines are among the skipped ones.
  const from = Math.max(0, skipped - derived.length);
  const ids = db.selectFrom("ledger").select("id").where("account_id", "=", accountId);
  const window = { page, pageSize: skipped - from + pageSize, skipped: from };
  const { list: stored, total } = await readPage(ids, [["id", "desc"]], window, (shown) =>
    db.selectFrom("ledger").selectAll().where("id", "in", shown).orderBy("id", "desc").execute(),
  );
  const countBefore = (row?: LedgerRow) => derived.filter((line) => !row || line.created_at >= row.created_at).length;
  const before = from === 0 ? 0 : countBefore(stored[0]);
  const rest = derived.slice(before);
  const takeBefore = (row: LedgerRow) => rest.splice(0, Math.max(0, countBefore(row) + rest.length - derived.length));
  const merged = stored.flatMap((row): LedgerRow[] => [...takeBefore(row), row]);
  const rows = [...merged, ...rest].slice(skipped - from - before).slice(0, pageSize);
  const subjects = await readSubjects(db, [...new Set(rows.map(refOf))]);
  const list = rows.map(({ id: entryId, kind, bucket, characters, amount_fen: amountFen, ...row }): LedgerEntry => {
    const ref = refOf(row);
    const end = kind === "grant" && ends.get(row.period);
    const times = { endsAt: end ? toLocalTime(end) : "", createdAt: toLocalTime(row.created_at) };
    return { entryId, kind, bucket, characters, amountFen, ref, subject: subjects.get(ref) ?? "", ...times };
  });
  return { list, total: total + derived.length, page, pageSize };
}

/**
 * The lines that make the ledger's sum the balance and follow from the grants, newest first: steps that began and were
 * never used, and what steps and packs had left at their end. `ends`: of each period.
 */
async function readDerived(db: Db, accountId: string, now: Date) {
  const [grants, buckets] = await Promise.all([
    readGrants(db, accountId),
    db.selectFrom("quota_bucket").selectAll().where("account_id", "=", accountId).execute(),
  ]);
  const steps = toSteps(grants);
  const toDate = (seconds: number) => new Date(seconds * 1000);
  const ends = new Map(steps.map(({ period, endsAt }) => [period, toDate(endsAt)]));
  for (const { period, ends_at } of buckets) if (ends_at) ends.set(period, ends_at);
  // A refund can take away the whole time of a step that was started early: it ends with the refund.
  const changes = new Map(grants.flatMap((row) => ("changes" in row ? [[row.changes, toDate(row.at)] as const] : [])));
  const endOf = (period: string) => ends.get(period) ?? changes.get(period.split("/")[0] ?? "") ?? now;
  const stored = new Set(buckets.map(({ period }) => period));
  const begun = steps
    .filter(({ period, startsAt, characters }) => characters > 0 && toDate(startsAt) <= now && !stored.has(period))
    .map((step) => toLine("grant", { ...step, bucket: step.tier }, toDate(step.startsAt)));
  const left = buckets.map((row) => ({ ...row, characters: row.total - row.used - row.reserved }));
  const expired = [...left, ...begun]
    .filter(({ period, characters }) => characters !== 0 && endOf(period) <= now)
    .map((one) => toLine("expire", { ...one, characters: -one.characters }, endOf(one.period)));
  const derived = [...begun, ...expired].sort((a, b) => b.created_at.getTime() - a.created_at.getTime());
  return { derived, ends };
}

/** Grants count whole seconds: the line follows the rows of its second. */
const toLine = (
  kind: LedgerEntry["kind"],
  { bucket, period, characters }: Pick<LedgerRow, "bucket" | "period" | "characters">,
  at: Date,
): LedgerRow => ({
  ...{ id: `${kind}:${bucket}:${period}`, kind, bucket, period, characters, ref: period },
  ...{ amount_fen: 0, order_id: null, created_at: new Date(at.getTime() + 999) },
});

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
