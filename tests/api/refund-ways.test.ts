import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CashierAction, createPayer, openTestBilling, type Payer, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";
import { findViolations } from "../support/ledger-invariants";
import { createUnreliableGateway, type Fault, type Operation } from "../support/unreliable-gateway";

describe.each(testEngines)("a refund on %s", (engine) => {
  let setup: TestBilling;
  let faults: Partial<Record<Operation, Fault>> = {};
  const unreliable = createUnreliableGateway((operation) => faults[operation]);
  beforeAll(async () => {
    setup = await openTestBilling(engine, unreliable.around);
  });
  afterAll(() => setup.close());
  beforeEach(async () => {
    faults = {};
    await setup.db.deleteFrom("job").execute();
  });

  const buy = async (pCode = "svip-month", payer = createPayer(setup), lever: CashierAction = "pay") => {
    const order = (await payer.order(pCode)).data;
    await payer.pull(order, lever);
    await setup.work(["sandbox-notify"]);
    const attempt = await setup.db
      .selectFrom("pay_attempt")
      .selectAll()
      .where("order_id", "=", order.orderId)
      .executeTakeFirstOrThrow();
    return { payer, order, attempt };
  };
  const refundOf = (number: string) =>
    setup.db.selectFrom("pay_refund").selectAll().where("number", "=", number).executeTakeFirstOrThrow();
  const daysLeft = async ({ account }: Payer) => {
    const { svipExpire } = await setup.billing.membership(account);
    return Math.round((svipExpire - setup.now().getTime() / 1000) / 86_400);
  };
  const sentFen = async () => {
    const rows = await setup.db.selectFrom("sandbox_refund").select("amount_fen").execute();
    return rows.reduce((sum, { amount_fen }) => sum + amount_fen, 0);
  };
  const openAnomalies = async (orderId: string) =>
    (await setup.operations.orders({ number: orderId, limit: 1 }))[0]?.anomalies.filter((one) => !one.resolved_at) ??
    [];
  const runJob = async (number: string) => {
    await setup.work(["pay-refund"]);
    return (await refundOf(number)).state;
  };
  /** The gateway refuses the refund: the job tried once and waits. */
  const refuse = async (pCode?: string) => {
    const bought = await buy(pCode);
    faults = { refund: "refuse" };
    const { number } = await setup.operations.refund(bought.order.orderId, 3300);
    expect(await runJob(number)).toBe("SENT");
    return { ...bought, number };
  };
  /** The gateway reported the refund as failed. */
  const giveUp = async () => {
    const bought = await buy();
    faults = { refund: "fail", queryRefund: "fail" };
    const { number } = await setup.operations.refund(bought.order.orderId);
    expect(await runJob(number)).toBe("STUCK");
    return { ...bought, number };
  };

  describe("that the gateway refuses", () => {
    it("contains the refusal's reason and is sent at once when retried", async () => {
      const { number, payer, order } = await refuse();
      expect((await refundOf(number)).fault).toContain("refused");
      faults = {};
      await setup.operations.retryRefund(number);
      expect(await runJob(number)).toBe("DONE");
      expect(await daysLeft(payer)).toBe(20);
      expect(await payer.result(order)).toBe("success");
    });

    it("shows the payer the pending refund, then the completed one", async () => {
      const { number, payer } = await refuse();
      const orders = async () => (await payer.get<{ list: object[] }>("/pay/orders")).data.list;
      expect(await orders()).toMatchObject([{ result: "success", refundingFen: 3300, refundedFen: 0 }]);
      faults = {};
      await setup.operations.retryRefund(number);
      await runJob(number);
      expect(await orders()).toMatchObject([{ result: "success", refundingFen: 0, refundedFen: 3300 }]);
    });

    it("restores the membership when cancelled, and the order can be refunded again", async () => {
      const { number, payer, order } = await refuse();
      expect(await daysLeft(payer)).toBe(20);
      expect(await setup.operations.cancelRefund(number)).toMatchObject({ state: "CANCELLED", amount_fen: 3300 });
      expect(await daysLeft(payer)).toBe(30);
      faults = {};
      const before = await sentFen();
      await setup.work();
      expect(await sentFen()).toBe(before);
      const again = await setup.operations.refund(order.orderId);
      expect(again).toMatchObject({ amount_fen: 9900, number: expect.stringMatching(/R2$/) });
      expect(await runJob(again.number)).toBe("DONE");
      expect(await payer.result(order)).toBe("refunded");
    });

    it("takes its share of a step that is in use, and gives it back when cancelled", async () => {
      const payer = createPayer(setup);
      const { order } = await buy("svip-month", payer);
      const { reserveCharacters, settle, findQuota } = setup.billing.characters;
      const use = async (characters: number, taskId: string) => {
        await setup.db.transaction().execute(async (trx) => {
          await reserveCharacters(trx, { accountId: payer.account, characters, taskId });
          await settle(trx, taskId);
        });
      };
      const svip = async () => (await findQuota(setup.db, payer.account)).svip;
      await use(2, `${payer.account}-1`);
      faults = { refund: "refuse" };
      const { number } = await setup.operations.refund(order.orderId, 9800);
      await runJob(number);
      // A hundredth of 100,000, and what of the month has run.
      expect(await svip()).toMatchObject({ used: 2, left: expect.closeTo(1008, -2) });
      expect(await findViolations(setup.db)).not.toHaveProperty(["character balances equal the ledger"]);
      await setup.operations.cancelRefund(number);
      expect(await svip()).toMatchObject({ total: 100_000, used: 2 });
      await use(60_000, `${payer.account}-2`);
      faults = {};
      const again = await setup.operations.refund(order.orderId, 9800);
      expect(await runJob(again.number)).toBe("DONE");
      expect(await svip()).toMatchObject({ used: 60_002, left: 0 });
    });

    it("restores a pack's characters when cancelled", async () => {
      const payer = createPayer(setup);
      await setup.operations.grant(payer.account, { tier: "vip", days: 30 });
      const { order } = await buy("pack-1", payer);
      const { number } = await setup.operations.refund(order.orderId);
      const left = async () => (await setup.billing.quota(payer.account)).pack.left;
      expect(await left()).toBe(0);
      await setup.operations.cancelRefund(number);
      expect(await left()).toBe(60_000);
      expect(await runJob(number)).toBe("CANCELLED");
    });

    it("is completed without being sent if the money was returned by other means", async () => {
      const { number, payer, order } = await refuse();
      faults = {};
      const before = await sentFen();
      await setup.operations.completeRefund(number);
      await setup.work();
      expect([await refundOf(number), await sentFen()]).toMatchObject([{ state: "DONE" }, before]);
      expect([await daysLeft(payer), await payer.result(order)]).toEqual([20, "success"]);
    });
  });

  describe("that failed at the gateway", () => {
    it("is requested again when retried, and its anomaly reopens or is resolved", async () => {
      const { number, order } = await giveUp();
      const [anomaly] = await openAnomalies(order.orderId);
      expect(anomaly).toMatchObject({ kind: "refund", ref: number });
      await setup.operations.resolveAnomaly(anomaly?.id ?? "");
      await setup.operations.retryRefund(number);
      expect(await runJob(number)).toBe("STUCK");
      expect(await openAnomalies(order.orderId)).toHaveLength(1);
      faults = {};
      await setup.operations.retryRefund(number);
      expect(await runJob(number)).toBe("DONE");
      expect(await openAnomalies(order.orderId)).toEqual([]);
    });

    it("restores the membership when cancelled", async () => {
      const { number, payer } = await giveUp();
      expect(await daysLeft(payer)).toBeLessThanOrEqual(0);
      await setup.operations.cancelRefund(number);
      expect(await daysLeft(payer)).toBe(30);
    });
  });

  it("cannot be cancelled when the gateway has it or a server may be sending it", async () => {
    const { order } = await buy();
    const { number } = await setup.operations.refund(order.orderId);
    faults = { refund: "after", queryRefund: "before" };
    await setup.work(["pay-refund"]);
    await expect(setup.operations.cancelRefund(number)).rejects.toMatchObject({ name: "GatewayError" });
    faults = {};
    await expect(setup.operations.cancelRefund(number)).rejects.toThrow("the gateway has this refund");
    const sendingUntil = new Date(setup.now().getTime() + 30_000);
    await setup.db
      .updateTable("pay_refund")
      .set({ sending_until: sendingUntil })
      .where("number", "=", number)
      .execute();
    for (const act of ["retryRefund", "completeRefund"] as const)
      await expect(setup.operations[act](number)).rejects.toThrow("try again in a minute");
    await setup.advance(3600);
    expect(await runJob(number)).toBe("DONE");
    for (const act of ["retryRefund", "cancelRefund", "completeRefund"] as const)
      await expect(setup.operations[act](number)).rejects.toThrow(/the refund is over|the gateway has/);
  });

  it("of a payment in suspense is decided by an operator once and resolves its anomaly", async () => {
    const { payer, order, attempt } = await buy("vip-year", createPayer(setup), "tamper");
    expect(attempt.state).toBe("SUSPENSE");
    expect(await openAnomalies(order.orderId)).toMatchObject([{ kind: "amount" }]);
    const refund = await setup.operations.returnPayment(attempt.transaction_id ?? "");
    expect(refund).toMatchObject({ amount_fen: 1, reason: "suspense" });
    await expect(setup.operations.returnPayment(attempt.out_trade_no)).rejects.toMatchObject({ code: "not-found" });
    await setup.operations.cancelRefund(refund.number);
    const second = await setup.operations.returnPayment(attempt.out_trade_no);
    expect(await runJob(second.number)).toBe("DONE");
    expect(await openAnomalies(order.orderId)).toEqual([]);
    expect(await payer.result(order)).toBe("waiting");
    const { data } = await payer.get<{ list: Array<{ amountFen: number }> }>("/users/ledger");
    expect(data.list.map(({ amountFen }) => amountFen)).toEqual([-1, 1]);
  });

  it("of a second transaction of one attempt leaves the order paid", async () => {
    const { payer, order, attempt } = await buy("svip-year", createPayer(setup), "double");
    const [anomaly] = await openAnomalies(order.orderId);
    expect(anomaly?.kind).toBe("conflict");
    const { transactionId } = (anomaly?.detail ?? {}) as { transactionId: string };
    const [found] = await setup.operations.orders({ number: transactionId, limit: 1 });
    expect(found?.order.id).toBe(order.orderId);
    const { number } = await setup.operations.returnPayment(transactionId);
    expect(await runJob(number)).toBe("DONE");
    await expect(setup.operations.returnPayment(transactionId)).rejects.toMatchObject({ code: "not-found" });
    expect([await daysLeft(payer), await payer.result(order)]).toEqual([365, "success"]);
    expect(await openAnomalies(order.orderId)).toEqual([]);
    const sent = setup.db.selectFrom("sandbox_refund").selectAll().where("out_trade_no", "=", attempt.out_trade_no);
    expect(await sent.execute()).toMatchObject([{ amount_fen: 89_900, transaction_id: transactionId }]);
  });

  describe("made in the gateway's console", () => {
    const today = () => new Date(setup.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
    /** Returns the refund's number, another one in every try. */
    const refundByHand = async (outTradeNo: string, amountFen: number) => {
      const number = `console-${outTradeNo}-${amountFen}`;
      const row = { number, out_trade_no: outTradeNo, amount_fen: amountFen, created_at: setup.now() };
      await setup.db.insertInto("sandbox_refund").values(row).execute();
      return number;
    };

    it("is recorded by reconciliation once and shortens the order", async () => {
      setup.set(new Date("2030-01-10T04:00:00Z"));
      const { payer, order, attempt } = await buy();
      await refundByHand(attempt.out_trade_no, 3300);
      expect(await setup.operations.reconcile(today())).toMatchObject([
        { kind: "state", detail: { booked: "booked" } },
      ]);
      expect(await daysLeft(payer)).toBe(20);
      expect(await setup.operations.reconcile(today())).toEqual([]);
      expect(await daysLeft(payer)).toBe(20);
      const second = await refundByHand(attempt.out_trade_no, 6600);
      await setup.operations.reconcile(today());
      expect(await payer.result(order)).toBe("refunded");
      expect(await refundOf(second)).toMatchObject({ state: "DONE", reason: "console", amount_fen: 6600 });
    });

    it("completes our refund if it replaces it, and removes nothing more", async () => {
      setup.set(new Date("2030-02-10T04:00:00Z"));
      const { payer, order, attempt } = await buy();
      faults = { refund: "fail", queryRefund: "fail" };
      const { number } = await setup.operations.refund(order.orderId, 3300);
      await setup.work(["pay-refund"]);
      faults = {};
      await refundByHand(attempt.out_trade_no, 3300);
      expect(await setup.operations.reconcile(today())).toMatchObject([{ detail: { booked: "completed" } }]);
      expect([await refundOf(number), await daysLeft(payer)]).toMatchObject([{ state: "DONE" }, 20]);
    });

    it("is recorded without effect if it exceeds the rest", async () => {
      setup.set(new Date("2030-03-10T04:00:00Z"));
      const { payer, attempt } = await buy();
      await refundByHand(attempt.out_trade_no, 10_000);
      expect(await setup.operations.reconcile(today())).toMatchObject([{ kind: "state", detail: { booked: "no" } }]);
      expect(await daysLeft(payer)).toBe(30);
      setup.set(new Date());
    });
  });

  it("keeps the membership time consistent in every case", async () => {
    const broken = await findViolations(setup.db);
    expect(broken["granted time is what paid orders bought, less what was refunded"]).toBeUndefined();
    expect(broken["characters balance"]).toBeUndefined();
  });

  it("creates an audit row with amount and reason for every action, shown with the order", async () => {
    const { number, order } = await refuse();
    await setup.operations.retryRefund(number);
    await setup.operations.cancelRefund(number);
    const [record] = await setup.operations.orders({ number, limit: 1 });
    expect(record?.order.id).toBe(order.orderId);
    expect(record?.acts.map(({ action, operator, detail }) => ({ action, operator, detail }))).toEqual(
      ["refund", "retry-refund", "cancel-refund"].map((action) => ({
        action,
        operator: "tester",
        detail: expect.objectContaining({ number, amountFen: 3300, reason: "a test" }),
      })),
    );
  });
});
