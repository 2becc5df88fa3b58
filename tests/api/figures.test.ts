import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDays, readFailures } from "~server/upstream/operations/commands/today";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { openTestUpstream, type TestUpstream } from "../support/upstream";

describe.each(ruleEngines)("operators' figures of the day on %s", (engine) => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
  });
  afterAll(() => upstream.close());

  const now = new Date();
  const read = async () => {
    const failures = await readFailures(upstream.database(), new Date(now.getTime() - 3_600_000));
    return { days: await readDays(upstream.database(), 3, now), failures: failures.rows };
  };

  it("stay when works, trials and accounts are deleted", async () => {
    const db = upstream.database();
    const { accountId } = await createMember(upstream);
    const owner = `account:${accountId}`;
    const yesterday = new Date(now.getTime() - 86_400_000);
    const clone = { owner, content: "一句话。", style: "", speed: 1, genre: 0, ext: null, characters: 4 };
    await db
      .insertInto("clone")
      .values([
        { ...clone, status: 2, created_at: yesterday },
        { ...clone, status: 3, msg: "timeout", created_at: yesterday },
        { ...clone, status: 3, msg: "timeout", created_at: now },
        { ...clone, status: 2, created_at: now },
      ])
      .execute();
    const before = await read();
    expect(before.days).toMatchObject([
      { generations: 2, failures: 1 },
      { generations: 2, failures: 1 },
      { generations: 0 },
    ]);
    expect(before.failures).toEqual([{ kind: "clone", reason: "timeout", tasks: 1 }]);
    await db.deleteFrom("clone").where("owner", "=", owner).execute();
    await db.deleteFrom("account").where("id", "=", accountId).execute();
    expect(await read()).toEqual(before);
  });

  it("count no operator as a sign-up, neither after their account is deleted", async () => {
    const db = upstream.database();
    const before = await read();
    const { accountId } = await createMember(upstream);
    const row = { operator: "tester", action: "add-operator", target: accountId, detail: "{}" };
    await db.insertInto("audit").values(row).execute();
    expect(await read()).toEqual(before);
    await db.deleteFrom("account").where("id", "=", accountId).execute();
    expect(await read()).toEqual(before);
  });
});
