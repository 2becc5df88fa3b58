import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sign } from "~server/upstream/payments/gateways/sandbox/book";
import { createPayer, type Order, openTestBilling, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";

describe.each(testEngines)("a gateway's notification on %s", (engine) => {
  let setup: TestBilling;
  let secret: string;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
    secret = (await setup.db.selectFrom("sandbox_key").select("secret").executeTakeFirstOrThrow()).secret;
  });
  afterAll(() => setup.close());

  const deliver = async (message: { headers: Headers; body: string }, gateway = "sandbox") => {
    const init = { method: "POST", headers: message.headers, body: message.body };
    return (await setup.app.request(`/pay/notify/${gateway}`, init)).status;
  };
  const bodyFor = async (order: Order, more: object = {}) => {
    const row = setup.db.selectFrom("pay_attempt").select("out_trade_no").where("order_id", "=", order.orderId);
    return JSON.stringify({
      event: "TRADE.PAID",
      outTradeNo: (await row.executeTakeFirstOrThrow()).out_trade_no,
      transactionId: `T-${order.orderId}`,
      amountFen: order.price,
      currency: "CNY",
      merchantId: "sandbox-merchant",
      appId: "sandbox-app",
      paidAt: setup.now().toISOString(),
      ...more,
    });
  };
  const stateOf = async ({ orderId }: Order) => {
    const order = setup.db.selectFrom("pay_order").select("state").where("id", "=", orderId);
    return (await order.executeTakeFirstOrThrow()).state;
  };
  const countOf = async (outcome: string) => {
    const rows = await setup.db
      .selectFrom("notification_count")
      .select("hits")
      .where("outcome", "=", outcome)
      .execute();
    return rows.reduce((sum, { hits }) => sum + hits, 0);
  };
  const everything = async () => ({
    orders: await setup.db.selectFrom("pay_order").selectAll().orderBy("id").execute(),
    attempts: await setup.db.selectFrom("pay_attempt").selectAll().orderBy("id").execute(),
    ledger: await setup.db.selectFrom("ledger").selectAll().orderBy("id").execute(),
    grants: await setup.db.selectFrom("membership_grant").selectAll().orderBy("seq").execute(),
    jobs: await setup.db.selectFrom("job").select("id").orderBy("seq").execute(),
  });

  it("pays its order, and a repetition changes nothing", async () => {
    const order = (await createPayer(setup).order("vip-month")).data;
    const body = await bodyFor(order);
    expect(await deliver(sign(secret, body, setup.now()))).toBe(200);
    expect(await stateOf(order)).toBe("PAID");
    const before = await everything();
    for (let i = 0; i < 3; i++) expect(await deliver(sign(secret, body, setup.now()))).toBe(200);
    expect(await everything()).toEqual(before);
  });

  it("is processed once when it arrives twenty times concurrently", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    const body = await bodyFor(order);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => deliver(sign(secret, body, setup.now()))));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { vipExpire } = await setup.billing.membership(payer.account);
    expect(Math.round((vipExpire - setup.now().getTime() / 1000) / 86_400)).toBe(30);
  });

  it.each([
    ["signed with another key", "forged", (body: string, at: Date) => sign("another", body, at)],
    [
      "changed after it was signed",
      "forged",
      (body: string, at: Date) => ({ ...sign(secret, body, at), body: `${body} ` }),
    ],
    ["not signed at all", "forged", (body: string) => ({ headers: new Headers(), body })],
    ["signed long ago", "stale", (body: string, at: Date) => sign(secret, body, new Date(at.getTime() - 6 * 60_000))],
    ["signed tomorrow", "stale", (body: string, at: Date) => sign(secret, body, new Date(at.getTime() + 86_400_000))],
    ["not readable", "unreadable", (_: string, at: Date) => sign(secret, "{", at)],
    ["of no kind we know", "unreadable", (_: string, at: Date) => sign(secret, '{"event":"TRADE.LOST"}', at)],
    [
      "with an amount in words",
      "unreadable",
      (body: string, at: Date) => sign(secret, body.replace("3900", '"39.00"'), at),
    ],
  ] as const)("%s is refused, counted and changes nothing", async (...[, reason, forge]) => {
    const order = (await createPayer(setup).order("vip-month")).data;
    const body = await bodyFor(order);
    const before = { ...(await everything()), hits: await countOf(reason) };
    expect(await deliver(forge(body, setup.now()))).toBe(401);
    expect({ ...(await everything()), hits: await countOf(reason) }).toEqual({ ...before, hits: before.hits + 1 });
    expect(await stateOf(order)).toBe("OPEN");
  });

  it.each([
    ["to another merchant", { merchantId: "another" }, "merchant"],
    ["for another app", { appId: "something" }, "merchant"],
    ["for an unknown order number", { outTradeNo: "0".repeat(32) }, "unknown"],
  ])("of a payment %s is refused and reported once", async (...[, change, kind]) => {
    const order = (await createPayer(setup).order("vip-month")).data;
    const body = await bodyFor(order, { ...change, transactionId: `T-${order.orderId}` });
    const anomalyCount = () => setup.anomalies.filter((anomaly) => anomaly.kind === kind).length;
    const before = anomalyCount();
    for (let i = 0; i < 3; i++) expect(await deliver(sign(secret, body, setup.now()))).toBe(401);
    expect(anomalyCount()).toBe(before + 1);
    expect(await stateOf(order)).toBe("OPEN");
  });

  it.each([
    ["one fen short", { amountFen: 3899 }],
    ["one fen too much", { amountFen: 3901 }],
    ["of another currency", { currency: "JPY" }],
  ])("of a payment %s is acknowledged and recorded separately", async (...[, change]) => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    expect(await deliver(sign(secret, await bodyFor(order, change), setup.now()))).toBe(200);
    expect(await stateOf(order)).toBe("OPEN");
    expect((await setup.billing.membership(payer.account)).tier).toBeNull();
    expect(setup.anomalies.at(-1)).toMatchObject({ kind: "amount", orderId: order.orderId });
  });

  it("is accepted before the gateway's answer to our own request", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await setup.db
      .updateTable("pay_attempt")
      .set({ state: "INIT", url: null })
      .where("order_id", "=", order.orderId)
      .execute();
    expect(await deliver(sign(secret, await bodyFor(order), setup.now()))).toBe(200);
    expect(await payer.result(order)).toBe("success");
  });

  it("is not found for an unused gateway", async () => {
    expect(await deliver({ headers: new Headers(), body: "{}" }, "paypal")).toBe(404);
  });
});
