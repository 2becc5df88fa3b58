import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPayer, createTestBilling } from "../support/billing";
import { openTestDatabase, testEngines } from "../support/database";
import { findViolations } from "../support/ledger-invariants";

const characters = 3000;
const monthMax = 2;

describe.each(testEngines)("a referral on %s", (engine) => {
  let setup: Awaited<ReturnType<typeof createTestBilling>>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const handle = await openTestDatabase(engine);
    setup = await createTestBilling(handle, { referral: { characters, monthMax } });
    close = handle.close;
  });
  afterAll(() => close());
  beforeEach(() => setup.set(new Date("2027-03-10T04:00:00Z")));

  async function codeOf(accountId: string) {
    await setup.billing.referrals.giveCode(setup.db, accountId);
    return (await setup.billing.referrals.show(accountId)).code;
  }
  async function send(referrer: string, phoneHash: string = randomUUID()) {
    const payer = createPayer(setup);
    const newcomer = { accountId: payer.account, phoneHash, code: await codeOf(referrer) };
    await setup.billing.referrals.bind(setup.db, newcomer);
    return payer;
  }
  async function pay(payer: ReturnType<typeof createPayer>, pCode = "vip-month") {
    const { data: order } = await payer.order(pCode);
    await payer.pull(order, "duplicate");
    await setup.work();
    return order;
  }
  const leftOf = async (accountId: string) => (await setup.billing.quota(accountId)).pack.left;

  it("brings both their characters with the first payment, once", async () => {
    const referrer = randomUUID();
    const payer = await send(referrer);
    expect([await leftOf(referrer), await leftOf(payer.account)]).toEqual([0, 0]);
    await pay(payer);
    await pay(payer, "svip-month");
    expect([await leftOf(referrer), await leftOf(payer.account)]).toEqual([characters, characters]);
    expect(await setup.billing.referrals.show(referrer)).toMatchObject({ characters, monthMax, rewarded: 1 });
    const [entry] = (await setup.billing.ledger(referrer, { page: 1, pageSize: 10 })).list;
    expect(entry).toMatchObject({
      kind: "grant",
      bucket: "pack",
      characters,
      ref: expect.stringMatching(/^referral:/),
    });
    expect(entry?.endsAt).toMatch(/^2027-04-09T12:/);
  });

  it("brings the referrer nothing beyond the month's ceiling, and something again in the next month", async () => {
    const referrer = randomUUID();
    const payers = [await send(referrer), await send(referrer), await send(referrer)];
    for (const payer of payers) await pay(payer);
    expect(await leftOf(referrer)).toBe(monthMax * characters);
    expect(await Promise.all(payers.map(({ account }) => leftOf(account)))).toEqual(payers.map(() => characters));
    setup.set(new Date("2027-03-31T16:00:01Z"));
    await pay(await send(referrer));
    expect(await setup.billing.referrals.show(referrer)).toMatchObject({ rewarded: 1 });
    expect(await leftOf(referrer)).toBe((monthMax + 1) * characters);
  });

  it("is taken back by a refund of the whole payment as far as it is unused, and comes back with its end", async () => {
    const referrer = randomUUID();
    const payer = await send(referrer);
    const order = await pay(payer);
    const used = { accountId: referrer, characters: 500, taskId: randomUUID() };
    await setup.billing.characters.reserveCharacters(setup.db, used);
    await setup.billing.characters.settle(setup.db, used.taskId);
    await setup.operations.refund(order.orderId, 100);
    await setup.work(["pay-refund"]);
    expect([await leftOf(referrer), await leftOf(payer.account)]).toEqual([characters - 500, characters]);
    const { number } = await setup.operations.refund(order.orderId);
    expect([await leftOf(referrer), await leftOf(payer.account)]).toEqual([0, 0]);
    await setup.operations.cancelRefund(number);
    expect([await leftOf(referrer), await leftOf(payer.account)]).toEqual([characters - 500, characters]);
    await setup.operations.refund(order.orderId);
    await setup.work(["pay-refund"]);
    expect([await leftOf(referrer), await leftOf(payer.account)]).toEqual([0, 0]);
    const { "a refund is sent once": _cancelled, ...others } = await findViolations(setup.db);
    expect(others).toEqual({});
  });

  it("balances after any history of payments, use, refunds and their cancellation", { timeout: 120_000 }, async () => {
    const act = fc.oneof(
      { weight: 3, arbitrary: fc.record({ pay: fc.nat({ max: 1 }) }) },
      { weight: 2, arbitrary: fc.record({ use: fc.integer({ min: 1, max: 2500 }), by: fc.nat({ max: 2 }) }) },
      { weight: 3, arbitrary: fc.record({ refund: fc.nat(), isWhole: fc.boolean() }) },
      fc.record({ cancel: fc.nat() }),
      fc.constant({ send: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 20 }), async (acts) => {
        const referrer = randomUUID();
        const payers = [await send(referrer), await send(referrer)] as const;
        const accounts = [referrer, ...payers.map(({ account }) => account)];
        const orders: string[] = [];
        const refunds: string[] = [];
        const pick = (list: string[], at: number) => list[at % Math.max(1, list.length)] ?? "";
        for (const one of acts) {
          if ("pay" in one) orders.push((await pay(payers[one.pay] ?? payers[0])).orderId);
          else if ("use" in one) {
            const used = { accountId: accounts[one.by] ?? "", characters: one.use, taskId: randomUUID() };
            await setup.billing.characters.reserveCharacters(setup.db, used).catch(() => {});
            await setup.billing.characters.settle(setup.db, used.taskId);
          } else if ("refund" in one) {
            const part = one.isWhole ? undefined : 100;
            const refund = await setup.operations.refund(pick(orders, one.refund), part).catch(() => null);
            if (refund) refunds.push(refund.number);
          } else if ("cancel" in one) await setup.operations.cancelRefund(pick(refunds, one.cancel)).catch(() => {});
          else await setup.work(["pay-refund"]);
        }
        await setup.work();
        const { "a refund is sent once": _cancelled, ...others } = await findViolations(setup.db);
        expect(others).toEqual({});
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it("ignores the referrer's own code, an unknown code, and a phone referred before", async () => {
    const [referrer, phone] = [randomUUID(), randomUUID()];
    const bind = (accountId: string, phoneHash: string, code: string) =>
      setup.billing.referrals.bind(setup.db, { accountId, phoneHash, code });
    await bind(referrer, randomUUID(), await codeOf(referrer));
    await bind(randomUUID(), randomUUID(), "2222abcd");
    await send(referrer, phone);
    await send(referrer, phone);
    const rows = await setup.db.selectFrom("referral").selectAll().where("phone_hash", "=", phone).execute();
    expect(rows).toHaveLength(1);
    const own = setup.db.selectFrom("referral").selectAll().where("referred", "=", referrer);
    expect(await own.execute()).toEqual([]);
  });

  it("brings a deleted referrer nothing, and a deleted account's code refers no account", async () => {
    const referrer = randomUUID();
    const payer = await send(referrer);
    const code = await codeOf(referrer);
    await setup.db.transaction().execute((trx) => setup.billing.closing.forget(trx, `account:${referrer}`));
    await pay(payer);
    expect([await leftOf(referrer), await leftOf(payer.account)]).toEqual([0, characters]);
    const late = randomUUID();
    await setup.billing.referrals.bind(setup.db, { accountId: late, phoneHash: late, code });
    expect(await setup.db.selectFrom("referral").where("referred", "=", late).selectAll().execute()).toEqual([]);
  });

  it("does not exist without its setting", async () => {
    const off = await createTestBilling(setup);
    const payer = await send(randomUUID());
    const order = (await createPayer(off, payer.account).order("vip-month")).data;
    await createPayer(off, payer.account).pull(order, "pay");
    await off.work();
    expect(await leftOf(payer.account)).toBe(0);
    expect(await off.billing.referrals.show(payer.account)).toMatchObject({ code: "", characters: 0 });
  });
});
