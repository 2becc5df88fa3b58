import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestDatabase, testEngines } from "../../../../tests/support/database";
import { type DatabaseHandle, type Db, migrate, pendingMigrations } from "../database";

/** From the baseline's schema back to the one before it. */
const toEarlierVersion = [
  sql`alter table ledger rename constraint ledger_kind_check to ledger_kind_check1`,
  ...["pkey", "state_check", "account_id_fkey"].map(
    (name) =>
      sql`alter table quota_reservation
        rename constraint ${sql.id(`quota_reservation_${name}`)} to ${sql.id(`quota_reservation_${name}1`)}`,
  ),
  sql`insert into kysely_migration values ('0102_one_reading', ''), ('0152_dub_chapters', '')`,
  sql`insert into kysely_migration select to_char(n, 'FM0000') || '_x', '' from generate_series(103, 121) n`,
];

/** Columns, indices and constraints, one a line. */
async function linesOfSchema(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public'
    union select indexdef from pg_indexes where schemaname = 'public'
    union select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    order by line`.execute(db);
  return rows.map(({ line }) => line);
}

describe.each(testEngines)("a database from before the baseline on %s", (engine) => {
  let handle: DatabaseHandle;
  let newest: string[];
  beforeEach(async () => {
    handle = await openTestDatabase(engine);
    newest = await linesOfSchema(handle.db);
    for (const statement of toEarlierVersion) await statement.execute(handle.db);
  });
  afterEach(() => handle.close());

  it("gets the schema of a new one and keeps its rows", async () => {
    const { db } = handle;
    await sql`insert into pay_anomaly (kind, gateway, ref, detail, created_at)
      values ('late', 'sandbox', 'r', '{}', now())`.execute(db);
    expect(await linesOfSchema(db)).not.toEqual(newest);
    expect(await migrate(db)).toEqual([]);
    expect(await linesOfSchema(db)).toEqual(newest);
    expect(await pendingMigrations(db)).toEqual([]);
    expect(await db.selectFrom("pay_anomaly").select(["kind", "ref"]).execute()).toEqual([{ kind: "late", ref: "r" }]);
  });

  it.each(["0102_one_reading", "0000_baseline"])("is refused while it lacks %s, and stays as it was", async (first) => {
    const { db } = handle;
    await sql`delete from kysely_migration where name = ${first} or name = '0102_one_reading'`.execute(db);
    const before = await linesOfSchema(db);
    await expect(migrate(db)).rejects.toThrow(
      /^The database lacks 1 of the migrations .*: start commit \w+ on it once/,
    );
    expect(await linesOfSchema(db)).toEqual(before);
  });
});
