import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPayer, md5, type Order, openTestBilling, type Payer, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";

interface Listed {
  orderId: string;
  outTradeNo: string;
  transactionId: string;
}

describe.each(testEngines)("the order status for a payer on %s", (engine) => {
  let setup: TestBilling;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
  });
  afterAll(() => setup.close());
  beforeEach(() => setup.db.deleteFrom("job").execute());

  const status = async (payer: Payer, { orderId }: Order) =>
    (await payer.post("/pay/result", { orderId, sign: md5(orderId) })).data;
  const cancel = (payer: Payer, { orderId }: Order) => payer.post("/pay/order/cancel", { orderId });
  const attemptOf = ({ orderId }: Order) =>
    setup.db.selectFrom("pay_attempt").selectAll().where("order_id", "=", orderId).executeTakeFirstOrThrow();

  it("reports late money as being confirmed and grants it when the order is over", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    expect(await status(payer, order)).toMatchObject({ result: "waiting", note: "" });
    await payer.pull(order, "late");
    await setup.advance(4);
    expect(await status(payer, order)).toMatchObject({ result: "waiting", note: "confirming" });
    await setup.advance(31 * 60);
    await setup.work();
    expect(await status(payer, order)).toMatchObject({ result: "success", note: "" });
  });

  it("reports a payment with another amount as held after its notification", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await payer.pull(order, "tamper");
    await setup.work(["sandbox-notify"]);
    expect(await status(payer, order)).toMatchObject({ result: "waiting", note: "suspended" });
    await setup.operations.returnPayment((await attemptOf(order)).out_trade_no);
    expect(await status(payer, order)).toMatchObject({ note: "suspended" });
    await setup.work(["pay-refund"]);
    expect(await status(payer, order)).toMatchObject({ result: "waiting", note: "" });
  });

  it("contains the merchant's and the gateway's numbers, which operators can search", async () => {
    const payer = createPayer(setup);
    const order = (await payer.order("vip-month")).data;
    await payer.pull(order, "pay");
    await setup.work(["sandbox-notify"]);
    const { out_trade_no: outTradeNo, transaction_id: transactionId } = await attemptOf(order);
    expect(await status(payer, order)).toMatchObject({ result: "success", outTradeNo, transactionId });
    const { data } = await payer.get<{ list: Listed[] }>("/pay/orders");
    expect(data.list).toMatchObject([{ orderId: order.orderId, outTradeNo, transactionId }]);
    const spaced = outTradeNo.replace(/(.{8})/g, "$1 ").trim();
    for (const number of [order.orderId, order.orderId.toUpperCase(), outTradeNo, spaced, String(transactionId)]) {
      const found = await setup.operations.orders({ number, limit: 5 });
      expect(found.map((record) => record.order.id)).toEqual([order.orderId]);
    }
    expect(await setup.operations.orders({ number: `${outTradeNo}0`, limit: 5 })).toEqual([]);
  });

  describe("on cancelling", () => {
    it("closes an open order at the gateway and allows a new one", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("vip-month")).data;
      expect((await cancel(payer, order)).data).toMatchObject({ result: "closed" });
      await setup.work(["pay-close"]);
      expect(await payer.pull(order, "pay")).toMatchObject({ msg: "bad-request" });
      expect((await cancel(payer, order)).data).toMatchObject({ result: "closed" });
      expect((await payer.order("vip-month")).data.orderId).not.toBe(order.orderId);
    });

    it("grants an order that is already paid instead of closing it", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("vip-month")).data;
      await payer.pull(order, "pay");
      expect((await cancel(payer, order)).data).toMatchObject({ result: "success" });
      expect((await setup.billing.membership(payer.account)).tier).toBe("vip");
    });

    it("does not find another account's order", async () => {
      const order = (await createPayer(setup).order("vip-month")).data;
      expect(await cancel(createPayer(setup), order)).toMatchObject({ msg: "not-found" });
      expect((await attemptOf(order)).state).toBe("PENDING");
    });
  });
});
