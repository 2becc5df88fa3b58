import { type Kysely, type RawBuilder, sql } from "kysely";
import { accountTables } from "./baseline/accounts";
import { billingTables } from "./baseline/billing";
import { developerTables } from "./baseline/developers";
import { dubTables } from "./baseline/dubs";
import { generationTables } from "./baseline/generations";
import { saleTables } from "./baseline/sales";
import { trustTables } from "./baseline/trust";
import { voiceTables } from "./baseline/voices";

const baseline = "0000_baseline";

/** Migrations by name, which is also their order. Add a migration at the end, with the next number from 0153 on. */
export const migrations: Record<string, RawBuilder<unknown>[]> = {
  [baseline]: [
    ...accountTables,
    ...voiceTables,
    ...trustTables,
    ...generationTables,
    ...dubTables,
    ...billingTables,
    ...saleTables,
    ...developerTables,
  ],
  // Figures of days outlive the rows that they count. Only appended to: no deletion waits for another one.
  "0153_deleted_figures": [
    sql`alter table pay_order add column refund_declined text`,
    sql`create table deleted_figure (day date not null, kind text not null, reason text not null, count int not null)`,
    sql`create index deleted_figure_day on deleted_figure (day)`,
    sql`create function keep_figure() returns trigger language plpgsql as
      'begin insert into deleted_figure select (created_at at time zone ''Asia/Shanghai'')::date, tg_table_name,
        case when status = 3 then coalesce(msg, ''failure'') else '''' end, count(*) from gone group by 1, 3;
      return null; end'`,
    sql`create function keep_sign_up() returns trigger language plpgsql as
      'begin insert into deleted_figure select (created_at at time zone ''Asia/Shanghai'')::date, ''account'', '''', count(*)
        from gone where not exists (select from audit where action = ''add-operator'' and target = gone.id::text) group by 1;
      return null; end'`,
    ...["clone", "dub", "video", "trial", "account"].map(
      (table) => sql`create trigger keep_figure after delete on ${sql.table(table)} referencing old table as gone
        for each statement execute function ${sql.id(table === "account" ? "keep_sign_up" : "keep_figure")}()`,
    ),
  ],
};

/** The migrations that the baseline took in, and the last commit that has them one by one. */
const replaced = { oldest: "0102_one_reading", newest: "0152_dub_chapters", count: 21, commit: "4e1c7af2" };

/** Gives the constraints of tables that were renamed or made anew the names that they have in the baseline. */
const toBaseline = sql`do $$ declare former record; begin
  for former in select conrelid::regclass as relation, conname as name from pg_constraint
    where conrelid in ('ledger'::regclass, 'quota_bucket'::regclass, 'quota_reservation'::regclass)
      and conname ~ '_month_not_null$|1$' loop
    execute format('alter table %s rename constraint %I to %I',
      former.relation, former.name, rtrim(replace(former.name, '_month_', '_period_'), '1'));
  end loop;
end $$`;

/**
 * Records the baseline alone for a database that ran all migrations which the baseline took in. Throws if migrations are
 * missing there: the commit that has them must be started first.
 */
export async function adoptEarlierDatabase<Tables>(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Kysely's migrator takes the same lock.
    await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(trx);
    const ran = await namesOfMigrations(trx);
    if (ran.length === 0) return;
    const earlier = ran.filter((name) => name !== baseline && name <= replaced.newest);
    if (ran.includes(baseline) && earlier.length === 0) return;
    const missing = replaced.count - earlier.filter((name) => name >= replaced.oldest).length;
    if (missing > 0)
      throw new Error(
        `The database lacks ${missing} of the migrations that ${baseline} replaces: ` +
          `start commit ${replaced.commit} on it once, then this version`,
      );
    await toBaseline.execute(trx);
    await sql`delete from kysely_migration where name = any(${earlier})`.execute(trx);
  });
}

async function namesOfMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(db);
  if (!table.rows[0]?.name) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}
