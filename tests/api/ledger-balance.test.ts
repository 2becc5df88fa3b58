import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LedgerEntry } from "~server/contract/calls/users";
import { toBuckets } from "~server/upstream/billing/buckets";
import { readGrants } from "~server/upstream/billing/membership";
import { toSteps } from "~server/upstream/billing/steps";
import { toSeconds } from "~server/upstream/calendar";
import { createPayer, openTestBilling, type TestBilling } from "../support/billing";
import { ruleEngines } from "../support/database";

const buckets = ["svip", "vip", "pack"] as const;
const daySeconds = 86_400;

describe.each(ruleEngines)("the ledger's lines on %s", (engine) => {
  let setup: TestBilling;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
  });
  afterAll(() => setup.close());

  const inTransaction = <T>(work: (trx: TestBilling["db"]) => Promise<T>) => setup.db.transaction().execute(work);
  const act = {
    reserve: (accountId: string, characters: number, taskId: string) =>
      inTransaction((trx) => setup.billing.characters.reserveCharacters(trx, { accountId, characters, taskId })),
    end: (how: "settle" | "release", taskId: string) =>
      inTransaction((trx) => setup.billing.characters[how](trx, taskId)),
  };
  const buy = async (accountId: string, pCode: string) => {
    const payer = createPayer(setup, accountId);
    const order = (await payer.order(pCode)).data;
    await payer.pull(order, "pay");
    await setup.work(["sandbox-notify"]);
    return order;
  };
  const readAll = async (accountId: string, pageSize = 100) => {
    const lines: LedgerEntry[] = [];
    for (let page = 1; ; page++) {
      const { list, total } = await setup.billing.ledger(accountId, { page, pageSize });
      lines.push(...list);
      if (list.length === 0) {
        expect(lines).toHaveLength(total);
        return lines;
      }
    }
  };
  const sumOf = (lines: LedgerEntry[], bucket: string) =>
    lines.reduce((sum, line) => sum + (line.bucket === bucket ? line.characters : 0), 0);

  /** The lines' sums equal what is left, of the running tier and of packs in the account's own figures too. */
  const expectBalanced = async (accountId: string) => {
    const lines = await readAll(accountId);
    const stored = await setup.db.selectFrom("quota_bucket").selectAll().where("account_id", "=", accountId).execute();
    const rows = stored.map(({ ends_at, ...row }) => ({
      ...row,
      endsAt: ends_at && Math.ceil(ends_at.getTime() / 1000),
    }));
    const held = toBuckets(rows, toSteps(await readGrants(setup.db, accountId)), toSeconds(setup.now()));
    const leftOf = (bucket: string) => held.reduce((sum, one) => sum + (one.bucket === bucket ? one.left : 0), 0);
    const { tier } = await setup.billing.membership(accountId);
    const quota = await setup.billing.quota(accountId);
    for (const bucket of buckets) {
      expect(sumOf(lines, bucket), bucket).toBe(leftOf(bucket));
      if (bucket === "pack" || bucket === tier) expect(sumOf(lines, bucket), bucket).toBe(quota[bucket].left);
    }
    expect(new Set(lines.map(({ entryId }) => entryId)).size).toBe(lines.length);
  };

  it("name the day on which a step and a pack expired, and what they had left", async () => {
    const accountId = crypto.randomUUID();
    await buy(accountId, "vip-month");
    const pack = await buy(accountId, "pack-1");
    await act.reserve(accountId, 20_000, crypto.randomUUID());
    await setup.advance(30 * daySeconds + 60);
    const [first, second] = (await readAll(accountId)).filter(({ kind }) => kind === "expire");
    expect([first, second].map((line) => [line?.bucket, line?.characters, line?.ref])).toEqual(
      expect.arrayContaining([
        ["vip", -30_000, expect.stringMatching(/^\d+\/0$/)],
        ["pack", -60_000, pack.orderId],
      ]),
    );
    await expectBalanced(accountId);
  });

  it("are the same on pages of any size", async () => {
    const accountId = crypto.randomUUID();
    await buy(accountId, "vip-month");
    for (let days = 0; days < 90; days += 9) {
      await buy(accountId, "pack-1").catch(() => {});
      if (days === 27) await buy(accountId, "vip-month");
      await act.reserve(accountId, 10, crypto.randomUUID());
      await setup.advance(9 * daySeconds);
    }
    const all = await readAll(accountId);
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["expire", "grant", "reserve", "payment"]));
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    for (const pageSize of [1, 3, 7]) expect(await readAll(accountId, pageSize)).toEqual(all);
  });

  const event = fc.oneof(
    { weight: 4, arbitrary: fc.record({ reserve: fc.integer({ min: 1, max: 60_000 }) }) },
    { weight: 3, arbitrary: fc.record({ end: fc.nat(), as: fc.constantFrom("settle" as const, "release" as const) }) },
    { weight: 3, arbitrary: fc.record({ buy: fc.constantFrom("vip-month", "svip-month", "pack-1") }) },
    { weight: 4, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 25 }) }) },
    { weight: 2, arbitrary: fc.record({ refund: fc.nat(), share: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ cancel: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ isEarly: fc.constant(true) }) },
  );

  it("sum up to the balance at any time, after any refunds", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 6, maxLength: 18 }), async (events) => {
        const accountId = crypto.randomUUID();
        const orders = [await buy(accountId, "vip-month")];
        const tasks: string[] = [];
        for (const one of events) {
          if ("reserve" in one) {
            const taskId = crypto.randomUUID();
            await act.reserve(accountId, one.reserve, taskId).then(
              () => tasks.push(taskId),
              () => {},
            );
          } else if ("end" in one) {
            const [taskId] = tasks.splice(one.end % Math.max(1, tasks.length), 1);
            if (taskId) await act.end(one.as, taskId);
          } else if ("buy" in one) {
            const order = await buy(accountId, one.buy).catch(() => null);
            if (order) orders.push(order);
          } else if ("days" in one) await setup.advance(one.days * daySeconds + 17);
          else if ("refund" in one) {
            const order = orders[one.refund % orders.length];
            if (!order) continue;
            await setup.operations.refund(order.orderId, Math.ceil(order.price / one.share)).catch(() => {});
          } else if ("cancel" in one) {
            const refunds = setup.db.selectFrom("pay_refund").select("number").where("state", "=", "DUE");
            for (const { number } of await refunds.execute()) await setup.operations.cancelRefund(number);
          } else await setup.billing.startNextStep(accountId).catch(() => {});
          await expectBalanced(accountId);
        }
      }),
      { numRuns: 12 },
    );
  });
});
