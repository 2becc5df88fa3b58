import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase, testEngines } from "../../../tests/support/database";
import type { DatabaseHandle, Db } from "../db/database";
import { grantPack } from "./buckets";
import { createCharacters, startNextStep } from "./characters";
import { lockWallet } from "./ledger";
import { grantTime, readMembership, type Tier, tierAt } from "./membership";

describe.each(testEngines)("characters on %s", (engine) => {
  let handle: DatabaseHandle;
  let db: Db;
  let now = new Date("2026-03-10T04:00:00Z");
  const characters = createCharacters(() => now);
  beforeAll(async () => {
    handle = await openTestDatabase(engine);
    db = handle.db;
  });
  afterAll(() => handle.close());

  const act = <T>(work: (trx: Db) => Promise<T>) => db.transaction().execute(work);
  const join = (accountId: string, tier: Tier, days: number) =>
    act(async (trx) => {
      await lockWallet(trx, accountId);
      const grant = { accountId, orderId: null, tier, seconds: days * 86_400, monthly: false, at: now };
      await grantTime(trx, grant);
    });
  const addPack = (accountId: string, amount: number) =>
    act(async (trx) => {
      await lockWallet(trx, accountId);
      await grantPack(trx, { accountId, orderId: null, characters: amount, ref: "pack", at: now });
    });
  const reserve = (accountId: string, amount: number, taskId: string) =>
    act((trx) => characters.reserveCharacters(trx, { accountId, characters: amount, taskId }));
  const quota = (accountId: string) => characters.findQuota(db, accountId);
  const runningTier = async (accountId: string) =>
    tierAt(await readMembership(db, accountId, now), Math.floor(now.getTime() / 1000));
  const newMember = async (tier: Tier = "svip") => {
    const accountId = randomUUID();
    await join(accountId, tier, 30);
    return accountId;
  };

  /** For every bucket the ledger's sum equals the bucket's balance. */
  const expectBalanced = async (accountId: string) => {
    const rows = await db.selectFrom("quota_bucket").selectAll().where("account_id", "=", accountId).execute();
    const lines = await db.selectFrom("ledger").selectAll().where("account_id", "=", accountId).execute();
    const held = await db
      .selectFrom("quota_reservation")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("state", "=", "reserved")
      .execute();
    for (const row of rows) {
      const here = ({ bucket, period }: { bucket: string; period: string }) =>
        bucket === row.bucket && period === row.period;
      const balance = lines.filter(here).reduce((sum, line) => sum + line.characters, 0);
      const reserved = held.filter(here).reduce((sum, one) => sum + one.characters, 0);
      expect(balance).toBe(row.total - row.used - row.reserved);
      expect(balance).toBeGreaterThanOrEqual(0);
      expect(row.reserved).toBe(reserved);
    }
  };

  it("are taken from the running tier's step, then from packs, never from a waiting tier", async () => {
    const member = await newMember("vip");
    await reserve(member, 20_000, "before-the-upgrade");
    await join(member, "svip", 30);
    await addPack(member, 60_000);
    expect((await quota(member)).vip).toEqual({ total: 20_000, used: 20_000, left: 0 });
    await reserve(member, 150_000, "order-of-use");
    const { svip, vip, pack } = await quota(member);
    expect([svip.left, vip.left, pack.left]).toEqual([0, 0, 10_000]);
    await expect(reserve(member, 10_001, "too-many")).rejects.toMatchObject({ data: { left: 10_000 } });
    await expectBalanced(member);
  });

  it("of a waiting tier are kept until the tier goes on", async () => {
    const earlier = now;
    const member = await newMember("vip");
    await reserve(member, 20_000, randomUUID());
    await join(member, "svip", 30);
    expect((await quota(member)).vip).toEqual({ total: 20_000, used: 20_000, left: 0 });
    now = new Date(earlier.getTime() + 31 * 86_400_000);
    expect(await quota(member)).toMatchObject({ svip: { total: 0, left: 0 }, vip: { total: 50_000, left: 30_000 } });
    now = earlier;
  });

  it("are refused with the required and the remaining count, and nothing is reserved", async () => {
    const member = await newMember("vip");
    await reserve(member, 49_990, "most");
    const asking = reserve(member, 11, "too-many");
    await expect(asking).rejects.toMatchObject({ code: "entitlement", data: { reason: "quota", need: 11, left: 10 } });
    expect((await quota(member)).vip).toEqual({ total: 50_000, used: 49_990, left: 10 });
    const stranger = randomUUID();
    await expect(reserve(stranger, 1, "no-tier")).rejects.toMatchObject({ data: { need: 1, left: 0 } });
  });

  it("are settled or released once, whichever is first", async () => {
    const member = await newMember();
    await reserve(member, 100, "a");
    await reserve(member, 50, "b");
    const outcomes = await Promise.all([
      act((trx) => characters.settle(trx, "a")),
      act((trx) => characters.settle(trx, "a")),
      act((trx) => characters.release(trx, "b")),
      act((trx) => characters.release(trx, "b")),
    ]);
    expect(outcomes.filter(Boolean)).toHaveLength(2);
    expect(await act((trx) => characters.release(trx, "a"))).toBe(false);
    expect((await quota(member)).svip).toEqual({ total: 100_000, used: 100, left: 99_900 });
    await expectBalanced(member);
  });

  it("can be reserved again when a failed task is retried", async () => {
    const member = await newMember();
    for (let i = 0; i < 3; i++) {
      await reserve(member, 10, "again");
      await expect(reserve(member, 10, "again")).rejects.toThrow();
      await act((trx) => characters.release(trx, "again"));
    }
    expect((await quota(member)).svip.left).toBe(100_000);
    await expectBalanced(member);
  });

  it("are not overdrawn by concurrent tasks", async () => {
    const member = await newMember("vip");
    const asked = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => reserve(member, 9_000, `rush-${i}`)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect((await quota(member)).vip.left).toBe(5_000);
    await expectBalanced(member);
  });

  it("roll back with the caller's transaction", async () => {
    const member = await newMember();
    const failing = act(async (trx) => {
      await characters.reserveCharacters(trx, { accountId: member, characters: 500, taskId: "gone" });
      throw new Error("no task");
    });
    await expect(failing).rejects.toThrow("no task");
    expect((await quota(member)).svip.left).toBe(100_000);
  });

  it("bought on 30 January are one step of 30 days, whatever months it touches", async () => {
    now = new Date("2026-01-30T04:00:00Z");
    const member = await newMember();
    await reserve(member, 100_000, randomUUID());
    for (const day of ["2026-02-01T04:00:00Z", "2026-03-01T03:59:00Z"]) {
      now = new Date(day);
      expect((await quota(member)).svip).toEqual({ total: 100_000, used: 100_000, left: 0 });
    }
    now = new Date("2026-03-01T04:00:00Z");
    expect((await quota(member)).svip).toEqual({ total: 0, used: 0, left: 0 });
  });

  it("of a pack live 30 days from the purchase, also without a tier", async () => {
    now = new Date("2026-03-31T15:59:40Z");
    const member = randomUUID();
    await join(member, "svip", 10);
    await addPack(member, 1_000);
    now = new Date("2026-04-30T15:59:39Z");
    expect(await quota(member)).toMatchObject({ svip: { left: 0 }, pack: { total: 1_000, left: 1_000 } });
    await reserve(member, 1_000, randomUUID());
    now = new Date("2026-04-30T15:59:41Z");
    expect((await quota(member)).pack).toEqual({ total: 0, used: 0, left: 0 });
    await expectBalanced(member);
  });

  it("of a released task go back to the bucket they came from", async () => {
    now = new Date("2026-05-01T00:00:00Z");
    const member = await newMember();
    const task = randomUUID();
    await reserve(member, 40_000, task);
    await join(member, "svip", 30);
    now = new Date("2026-05-31T00:00:01Z");
    await act((trx) => characters.release(trx, task));
    expect((await quota(member)).svip).toEqual({ total: 100_000, used: 0, left: 100_000 });
    await expectBalanced(member);
  });

  it("of the next paid step can be started early once the running ones are used up", async () => {
    now = new Date("2026-06-01T00:00:00Z");
    const member = await newMember("vip");
    const start = () => act((trx) => startNextStep(trx, member, now));
    await expect(start()).rejects.toThrow("no step is ahead");
    await join(member, "vip", 30);
    await expect(start()).rejects.toThrow("has characters left");
    await reserve(member, 49_990, randomUUID());
    const end = new Date("2026-07-31T00:00:00Z").getTime() / 1000;
    expect((await quota(member)).next).toMatchObject({ characters: 50_000, endsAt: end });
    await start();
    expect(await quota(member)).toMatchObject({ vip: { left: 50_010 }, next: null });
    await reserve(member, 50_010, randomUUID());
    now = new Date("2026-07-01T00:00:01Z");
    expect((await quota(member)).vip).toEqual({ total: 50_000, used: 50_000, left: 0 });
    await expectBalanced(member);
  });

  /** Opens the running step, so that its characters are granted. */
  const openRunning = async (member: string) => {
    const taskId = randomUUID();
    await reserve(member, 1, taskId).catch(() => {});
    await act((trx) => characters.release(trx, taskId));
  };

  it("are never more or fewer than were bought, after any history", async () => {
    const start = new Date("2026-06-20T00:00:00Z");
    const event = fc.oneof(
      { weight: 5, arbitrary: fc.record({ reserve: fc.integer({ min: 1, max: 60_000 }) }) },
      {
        weight: 4,
        arbitrary: fc.record({ end: fc.nat(), as: fc.constantFrom("settle" as const, "release" as const) }),
      },
      { weight: 2, arbitrary: fc.record({ join: fc.constantFrom("vip" as const, "svip" as const) }) },
      { weight: 2, arbitrary: fc.record({ pack: fc.constantFrom(60_000, 110_000) }) },
      { weight: 2, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 12 }) }) },
      fc.record({ isEarly: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 18 }), async (events) => {
        now = start;
        const member = await newMember("vip");
        const bought = { vip: 50_000, svip: 0, pack: 0 };
        const packs: Array<{ at: Date; characters: number }> = [];
        const tasks: string[] = [];
        for (const one of events) {
          const before = await quota(member);
          const running = await runningTier(member);
          if ("reserve" in one) {
            const taskId = randomUUID();
            const enough = (running ? before[running].left : 0) + before.pack.left >= one.reserve;
            const held = await reserve(member, one.reserve, taskId).then(
              () => true,
              () => false,
            );
            expect(held).toBe(enough);
            if (held) tasks.push(taskId);
          } else if ("end" in one) {
            const [taskId] = tasks.splice(one.end % Math.max(1, tasks.length), 1);
            if (taskId) await act((trx) => characters[one.as](trx, taskId));
          } else if ("join" in one) {
            await join(member, one.join, 30);
            bought[one.join] += one.join === "vip" ? 50_000 : 100_000;
            // A purchase takes nothing from what is there; what waits for the other tier is kept.
            if (running === one.join) expect((await quota(member))[one.join]).toEqual(before[one.join]);
          } else if ("pack" in one) {
            await addPack(member, one.pack);
            bought.pack += one.pack;
            packs.push({ at: now, characters: one.pack });
          } else if ("isEarly" in one) await act((trx) => startNextStep(trx, member, now)).catch(() => {});
          else {
            now = new Date(now.getTime() + one.days * 86_400_000);
            await openRunning(member);
          }
          const state = await quota(member);
          const live = packs.filter(({ at }) => now.getTime() - at.getTime() < 30 * 86_400_000);
          expect(state.pack.total).toBe(live.reduce((sum, { characters }) => sum + characters, 0));
          for (const { total, used, left } of [state.svip, state.vip, state.pack]) {
            expect(left).toBeGreaterThanOrEqual(0);
            expect(used + left).toBe(total);
          }
        }
        await expectBalanced(member);
        // Every step gives its characters at its time: used up day by day, all that was bought is there and no more.
        for (const taskId of tasks) await act((trx) => characters.release(trx, taskId));
        for (let days = 0; days < 30 * 20; days += 5) {
          const running = await runningTier(member);
          const { pack, ...tiers } = await quota(member);
          const left = (running ? tiers[running].left : 0) + pack.left;
          if (left > 0) await reserve(member, left, randomUUID());
          now = new Date(now.getTime() + 5 * 86_400_000);
        }
        const granted = await db
          .selectFrom("quota_bucket")
          .select(["bucket", "total"])
          .where("account_id", "=", member)
          .execute();
        const sumOf = (bucket: string) =>
          granted.reduce((sum, row) => sum + (row.bucket === bucket ? row.total : 0), 0);
        for (const bucket of ["vip", "svip", "pack"] as const) expect(sumOf(bucket)).toBe(bought[bucket]);
      }),
      { numRuns: 15 },
    );
  });
});
