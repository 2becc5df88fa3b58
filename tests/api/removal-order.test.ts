import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

describe.runIf(ruleEngines.includes("postgres"))("removing many records while one of them finishes", () => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream("postgres");
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_locks where not granted`.execute(upstream.database());
    expect(rows[0]?.count).toBeGreaterThan(0);
  };

  it.each([
    ["clone", "/voice/create", "/voice/del", (content: string) => ({ content, roleId })],
    ["dub", "/dubbing/create", "/dubbing/del", (content: string) => ({ lines: [{ content, roleId }] })],
  ] as const)("does not deadlock: a %s", async (noun, create, remove, body) => {
    const member = await createMember(upstream, "vip");
    const ids: string[] = [];
    for (const content of ["一句话。", "另一句话。"]) {
      ids.push((await member.post<{ taskId: string }>(create, body(content))).data.taskId);
    }
    const db = upstream.database();
    const last = await db.selectFrom(noun).select("job_id").where("id", "in", ids).orderBy("id", "desc").execute();
    const ending = await db.transaction().execute(async (trx) => {
      // Like a worker that finishes the last one: locks its job first, then the account's characters.
      await trx
        .selectFrom("job")
        .select("id")
        .where("id", "=", last[0]?.job_id ?? "")
        .forUpdate()
        .execute();
      const removing = member.post(remove, { ids });
      await vi.waitFor(waiting, { timeout: 150_000, interval: 20 });
      await trx
        .updateTable("quota_bucket")
        .set((eb) => ({ reserved: eb.ref("reserved") }))
        .where("account_id", "=", member.accountId)
        .execute();
      return { removing };
    });
    expect((await ending.removing).code).toBe(0);
  });
});
