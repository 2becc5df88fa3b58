import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Gateway } from "~server/upstream/payments/gateway";
import { createPayer, openTestBilling, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";
import { createUnreliableGateway, type Fault, type Operation } from "../support/unreliable-gateway";

describe.each(testEngines)("a payment through a failing gateway on %s", (engine) => {
  let setup: TestBilling;
  /** Applies the faults one after the other, or one repeatedly. */
  let faults: Partial<Record<Operation, Array<Fault | undefined> | Fault>> = {};
  /** Runs before the gateway answers a query. */
  let meanwhile: (() => Promise<void>) | null = null;
  const unreliable = createUnreliableGateway((operation) => {
    const planned = faults[operation];
    return typeof planned === "string" ? planned : planned?.shift();
  });
  beforeAll(async () => {
    setup = await openTestBilling(engine, (gateway) => {
      const around = unreliable.around(gateway);
      const query: Gateway["query"] = async (...asked) => {
        await meanwhile?.();
        return around.query(...asked);
      };
      return { ...around, query };
    });
  });
  afterAll(() => setup.close());
  beforeEach(async () => {
    await setup.db.deleteFrom("job").execute();
    faults = {};
    meanwhile = null;
    unreliable.calls.length = 0;
  });

  const stateOf = async (orderId: string) =>
    (await setup.db.selectFrom("pay_order").select("state").where("id", "=", orderId).executeTakeFirstOrThrow()).state;
  const attempts = (account: string) =>
    setup.db
      .selectFrom("pay_attempt")
      .innerJoin("pay_order", "pay_order.id", "order_id")
      .select(["pay_attempt.state", "out_trade_no"])
      .where("account_id", "=", account)
      .orderBy("pay_attempt.created_at")
      .execute();
  const countsOf = (operation: Operation) => unreliable.calls.filter((call) => call === operation).length;

  it.each(["before", "after"] as const)(
    "is requested again with the same number after a lost answer, %s it arrived",
    async (fault) => {
      const payer = createPayer(setup);
      faults = { createPayment: [fault] };
      expect(await payer.order("vip-month", { key: "one-key" })).toMatchObject({ status: 504, msg: "timeout" });
      expect(await attempts(payer.account)).toMatchObject([{ state: "INIT" }]);
      expect((await payer.order("vip-month", { key: "one-key" })).code).toBe(0);
      expect((await payer.order("vip-month")).code).toBe(0);
      expect(await attempts(payer.account)).toMatchObject([{ state: "PENDING" }]);
      const trades = await setup.db.selectFrom("sandbox_trade").select("out_trade_no").execute();
      const ours = (await attempts(payer.account)).map(({ out_trade_no }) => out_trade_no);
      expect(trades.filter(({ out_trade_no }) => ours.includes(out_trade_no))).toHaveLength(1);
    },
  );

  it("gets another number if the gateway refuses one, and fails if it refuses two", async () => {
    const payer = createPayer(setup);
    faults = { createPayment: ["refuse"] };
    const { code, data } = await payer.order("vip-month", { key: "refused" });
    expect(code).toBe(0);
    expect((await payer.order("vip-month", { key: "refused" })).data).toEqual(data);
    expect((await attempts(payer.account)).map(({ state }) => state)).toEqual(["CLOSED", "PENDING"]);
    faults = { createPayment: ["refuse", "refuse", "refuse"] };
    expect(await createPayer(setup).order("vip-month")).toMatchObject({ code: 7, msg: "failure" });
  });

  it("is requested once for twenty concurrent QR code requests", async () => {
    const payer = createPayer(setup);
    const answers = await Promise.all(Array.from({ length: 20 }, () => payer.order("svip-month")));
    expect(new Set(answers.map(({ data }) => data.url)).size).toBe(1);
    expect(countsOf("createPayment")).toBe(1);
  });

  it("is queried once for twenty concurrent status requests", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await setup.advance(4);
    await Promise.all(Array.from({ length: 20 }, () => payer.result(order)));
    expect(countsOf("query")).toBe(1);
  });

  it("is waiting while its state is unknown, and successful when it is known", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await payer.pull(order, "pay");
    faults = { query: ["before", "after"] };
    for (let i = 0; i < 2; i++) {
      await setup.advance(4);
      expect(await payer.result(order)).toBe("waiting");
    }
    await setup.advance(4);
    expect(await payer.result(order)).toBe("success");
  });

  it("is still queried after internal errors", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await payer.pull(order, "pay");
    await setup.db.deleteFrom("job").where("kind", "=", "sandbox-notify").execute();
    faults = { query: ["crash", "crash", "crash"] };
    for (let i = 0; i < 3; i++) {
      await setup.advance(10);
      await setup.work(["pay-query"]);
    }
    expect(countsOf("query")).toBe(3);
    await setup.advance(301);
    await setup.work(["pay-query"]);
    expect(await stateOf(order.orderId)).toBe("PAID");
  });

  it("keeps its order open while its state is unknown", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await setup.advance(31 * 60);
    faults = { query: "before" };
    await setup.work(["pay-expire"]);
    expect(await stateOf(order.orderId)).toBe("OPEN");
    faults = {};
    await setup.advance(3600);
    await setup.work(["pay-expire"]);
    expect(await stateOf(order.orderId)).toBe("CLOSED");
  });

  it("is closed by repeated attempts until one succeeds", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    faults = { close: ["before", "after", "before"] };
    await setup.advance(31 * 60);
    await setup.work();
    for (let i = 0; i < 4; i++) {
      await setup.advance(3600);
      await setup.work();
    }
    expect((await attempts(payer.account)).map(({ state }) => state)).toEqual(["CLOSED"]);
    expect(await stateOf(order.orderId)).toBe("CLOSED");
  });

  it("is closed, reported and no longer queried if the gateway refunded it by itself", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await payer.pull(order, "pay");
    await setup.db.deleteFrom("job").where("kind", "in", ["sandbox-notify", "pay-query"]).execute();
    const returned = setup.db.updateTable("sandbox_trade").set({ state: "refunded" });
    await returned.where("attached", "=", order.orderId).execute();
    await setup.advance(31 * 60);
    await setup.work();
    expect((await attempts(payer.account)).map(({ state }) => state)).toEqual(["CLOSED"]);
    expect(setup.anomalies.at(-1)).toMatchObject({ kind: "state", orderId: order.orderId });
    const live = setup.db.selectFrom("job").select("kind").where("state", "=", "ready").execute();
    expect(await live).toEqual([]);
  });

  it("is not reported if it was recorded and refunded while the gateway was asked", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await payer.pull(order, "pay");
    meanwhile = async () => {
      await setup.work(["sandbox-notify"]);
      await setup.operations.refund(order.orderId);
      await setup.work(["pay-refund"]);
    };
    await setup.advance(6);
    await setup.work(["pay-query"]);
    expect((await attempts(payer.account)).map(({ state }) => state)).toEqual(["REFUNDED"]);
    expect(setup.anomalies.filter(({ orderId }) => orderId === order.orderId)).toEqual([]);
  });

  it("is reconciled with the part of the bill that was read before the gateway failed", async () => {
    // A day without other payments.
    setup.set(new Date("2027-08-10T04:00:00Z"));
    const payers = [createPayer(setup), createPayer(setup)];
    for (const payer of payers) await payer.pull((await payer.order("vip-month")).data, "pay");
    await setup.db.deleteFrom("job").execute();
    faults = { query: [undefined, "before"] };
    await expect(setup.operations.reconcile("2027-08-10")).rejects.toMatchObject({ name: "GatewayError" });
    const filed = await setup.db
      .selectFrom("pay_anomaly")
      .innerJoin("pay_order", "pay_order.id", "order_id")
      .select(["kind", "account_id"])
      .where("kind", "=", "ours-missing")
      .execute();
    expect(filed.map(({ account_id }) => account_id).sort()).toEqual(payers.map(({ account }) => account).sort());
  });

  it("is settled if it arrives between the last query and the close", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await setup.advance(29 * 60);
    await setup.db
      .updateTable("pay_order")
      .set({ state: "CLOSED", closed_at: setup.now() })
      .where("id", "=", order.orderId)
      .execute();
    await payer.pull(order, "pay");
    await setup.db.deleteFrom("job").where("kind", "=", "sandbox-notify").execute();
    await setup.advance(3600);
    await setup.work();
    expect(await stateOf(order.orderId)).toBe("PAID");
    expect(setup.anomalies.at(-1)).toMatchObject({ kind: "late", orderId: order.orderId });
  });

  it.each([
    ["never asked", ["before", "before"]],
    ["asked and not answered", ["after", "after"]],
    ["refused at first", ["refuse"]],
  ] as const)("is refunded once if it is a duplicate and the refund was %s", async (...[, refund]) => {
    const payer = createPayer(setup);
    const first = (await payer.order("svip-month")).data;
    await payer.order("svip-month", { platform: 2 });
    await payer.pull(first, "double");
    faults = { refund: [...refund], queryRefund: ["before"] };
    for (let i = 0; i < 6; i++) {
      await setup.work();
      await setup.advance(600);
    }
    const rows = await attempts(payer.account);
    expect(rows.map(({ state }) => state).sort()).toEqual(["PAID", "REFUNDED"]);
    const refunds = await setup.db.selectFrom("sandbox_refund").selectAll().execute();
    expect(refunds.filter(({ out_trade_no }) => rows.some((row) => row.out_trade_no === out_trade_no))).toHaveLength(1);
  });

  it("is reported when its refund fails repeatedly, and the refund is retried", async () => {
    const payer = createPayer(setup);
    const first = (await payer.order("svip-month")).data;
    await payer.order("svip-month", { platform: 2 });
    await payer.pull(first, "double");
    faults = { refund: Array(8).fill("refuse") };
    for (let i = 0; i < 10; i++) {
      await setup.work();
      await setup.advance(3700);
    }
    expect(setup.anomalies.filter(({ kind, orderId }) => kind === "refund" && orderId === first.orderId)).toHaveLength(
      1,
    );
    expect((await attempts(payer.account)).map(({ state }) => state).sort()).toEqual(["PAID", "REFUNDED"]);
  });

  it("can be closed by operators after a failed refund", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("svip-month")).data;
    await payer.pull(order, "pay");
    await setup.work(["sandbox-notify"]);
    const { number } = await setup.operations.refund(order.orderId);
    faults = { refund: ["fail"] };
    await setup.work(["pay-refund"]);
    expect(setup.anomalies.at(-1)).toMatchObject({ kind: "refund", ref: number });
    expect(await payer.result(order)).toBe("success");
    await setup.operations.completeRefund(number);
    expect(await payer.result(order)).toBe("refunded");
    await expect(setup.operations.completeRefund(number)).rejects.toMatchObject({ code: "bad-request" });
  });
});
