import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestDatabase, testEngines } from "../../../../tests/support/database";
import { type DatabaseHandle, type Db, migrate, pendingMigrations } from "../database";
import { migrations } from "./migrations";

/** From the baseline's schema back to the one before it. */
const toEarlierVersion = [
  sql`alter table pay_anomaly rename to pay_mistake`,
  sql`do $$ declare name text; begin
    for name in select conname from pg_constraint where conrelid = 'pay_mistake'::regclass loop
      execute format('alter table pay_mistake rename constraint %I to %I', name, replace(name, 'anomaly', 'mistake'));
    end loop;
  end $$`,
  ...["open", "order", "detail"].map(
    (name) => sql`alter index ${sql.id(`pay_anomaly_${name}`)} rename to ${sql.id(`pay_mistake_${name}`)}`,
  ),
  sql`alter table clone add column voice_path text not null default '', add column emotion_path text not null default ''`,
  sql`alter table dub_line add column emotion_path text not null default ''`,
  sql`alter table login_code add column request_key text`,
  sql`alter table rendition add column mp3_url text, add column wav_url text`,
  sql`alter table role add column proof_due_at timestamptz`,
  sql`create index role_proof_due on role (proof_due_at) where proof_due_at is not null`,
  sql`alter table recording add column profile jsonb`,
  sql`create index recording_plain on recording (id) where profile is not null`,
  sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`,
  sql`insert into kysely_migration select to_char(n, 'FM0000') || '_x', '' from generate_series(1, 47) n`,
  sql`insert into kysely_migration values ('0101_private_voices', '')`,
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
    const baseline = migrations["0000_baseline"] ?? [];
    for (const statement of [
      sql`drop schema public cascade`,
      sql`create schema public`,
      ...baseline,
      ...toEarlierVersion,
    ])
      await statement.execute(handle.db);
  });
  afterEach(() => handle.close());

  it("gets the schema of a new one and keeps its rows", async () => {
    const { db } = handle;
    await sql`insert into pay_mistake (kind, gateway, ref, detail, created_at)
      values ('late', 'sandbox', 'r', '{}', now())`.execute(db);
    await sql`insert into recording (file_id, owner, name, url, duration_ms, quality, profile_key, profile)
      values ('f', 'account:1', 'n', 'u', 1, '{}', 'key', '{}')`.execute(db);
    expect(await pendingMigrations(db)).not.toEqual([]);
    expect(await migrate(db)).toEqual(Object.keys(migrations));
    expect(await linesOfSchema(db)).toEqual(newest);
    expect(await pendingMigrations(db)).toEqual([]);
    expect(await db.selectFrom("pay_anomaly").select(["kind", "ref"]).execute()).toEqual([{ kind: "late", ref: "r" }]);
    expect(await db.selectFrom("recording").select("profile_key").execute()).toEqual([{ profile_key: null }]);
  });

  it("is refused while it lacks a migration, and stays as it was", async () => {
    const { db } = handle;
    await sql`delete from kysely_migration where name = '0007_x'`.execute(db);
    const before = await linesOfSchema(db);
    await expect(migrate(db)).rejects.toThrow(
      /^The database lacks 1 of the migrations .*: start commit \w+ on it once/,
    );
    expect(await linesOfSchema(db)).toEqual(before);
  });
});
