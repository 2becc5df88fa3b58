import { randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase, testEngines } from "../../../../tests/support/database";
import { createCharacters } from "../../billing/characters";
import { lockWallet } from "../../billing/ledger";
import { grantTime } from "../../billing/membership";
import type { DatabaseHandle, Db } from "../database";
import { stepMigrations } from "./characters-by-steps";

/** Restores the tables of calendar months. */
const asBefore = [
  sql`drop table quota_reservation`,
  sql`create table quota_reservation (
    id bigint generated always as identity primary key,
    account_id text not null,
    task_id text not null,
    month text not null,
    svip int not null, vip int not null, pack int not null,
    state text not null default 'reserved',
    created_at timestamptz not null default now()
  )`,
  sql`create unique index quota_reservation_live on quota_reservation (task_id) where state = 'reserved'`,
  sql`alter table quota_bucket drop column ends_at`,
  sql`alter table quota_bucket rename column period to month`,
  sql`alter table ledger rename column period to month`,
];

describe.each(testEngines)("characters by calendar months on %s", (engine) => {
  let handle: DatabaseHandle;
  let db: Db;
  const characters = createCharacters();
  const member = randomUUID();
  const execute = async (statements: RawBuilder<unknown>[]) => {
    for (const statement of statements) await statement.execute(db);
  };
  beforeAll(async () => {
    handle = await openTestDatabase(engine);
    db = handle.db;
  });
  afterAll(() => handle.close());

  it("are carried over with every character that was left, reserved ones included", async () => {
    await lockWallet(db, member);
    const at = new Date(Date.now() - 40 * 86_400_000);
    const seconds = 365 * 86_400;
    await grantTime(db, { accountId: member, orderId: null, tier: "vip", seconds, monthly: false, at });
    await execute(asBefore);
    const month = sql`to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM')`;
    const rows = (values: RawBuilder<unknown>) =>
      sql`insert into quota_bucket (account_id, month, bucket, total, used, reserved) values ${values}`;
    const reservation = sql`insert into quota_reservation (account_id, task_id, month, svip, vip, pack)
      values (${member}, 'running', ${month}, 0, 30, 7)`;
    await execute([
      rows(sql`(${member}, ${month}, 'vip', 50000, 20000, 30), (${member}, ${month}, 'pack', 120000, 1000, 7)`),
      rows(sql`(${member}, '2024-05', 'pack', 60000, 10, 0)`),
      reservation,
      ...stepMigrations["0103_characters_by_steps"],
    ]);
    const quota = await characters.findQuota(db, member);
    // The running step, whole, and what was left of the month.
    expect(quota.vip.left).toBe(50_000 + 50_000 - 20_000 - 30);
    expect(quota.pack).toEqual({ total: 120_000, used: 1007, left: 118_993 });
    expect(quota.svip).toEqual({ total: 0, used: 0, left: 0 });
    expect(await characters.release(db, "running")).toBe(true);
    const after = await characters.findQuota(db, member);
    expect([after.vip.left, after.pack.left]).toEqual([50_000 + 50_000 - 20_000, 119_000]);
  });
});
