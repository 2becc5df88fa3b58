import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sign } from "~server/upstream/payments/gateways/sandbox/notification";
import { testEngines } from "../support/database";
import { createPayer, openTill, type Payer, type Till } from "../support/till";

describe.each(testEngines)("an account deleted with an open order, on %s", (engine) => {
  let till: Till;
  beforeAll(async () => {
    till = await openTill(engine);
  });
  afterAll(() => till.close());

  const remove = ({ account }: Payer) =>
    till.db.transaction().execute((trx) => till.billing.closing.forget(trx, `account:${account}`));
  const attemptOf = (orderId: string) =>
    till.db.selectFrom("pay_attempt").selectAll().where("order_id", "=", orderId).executeTakeFirstOrThrow();
  const stateOf = async (orderId: string) => {
    const order = till.db.selectFrom("pay_order").select("state").where("id", "=", orderId);
    return (await order.executeTakeFirstOrThrow()).state;
  };

  /** The gateway says that it was paid, whatever became of it here. */
  async function arrive(orderId: string) {
    const key = await till.db.selectFrom("sandbox_key").select("secret").executeTakeFirstOrThrow();
    const { out_trade_no: outTradeNo } = await attemptOf(orderId);
    const body = JSON.stringify({
      event: "TRADE.PAID",
      outTradeNo,
      transactionId: `T-${orderId}`,
      amountFen: 3900,
      currency: "CNY",
      merchantId: "sandbox-merchant",
      appId: "sandbox-app",
      paidAt: till.now().toISOString(),
    });
    const { headers } = sign(key.secret, body, till.now());
    return (await till.app.request("/pay/notify/sandbox", { method: "POST", headers, body })).status;
  }

  it("closes it here and at the gateway", async () => {
    const payer = createPayer(till);
    const { orderId, url } = (await payer.order("vip-month")).data;
    await remove(payer);
    expect(await stateOf(orderId)).toBe("CLOSED");
    await till.work();
    expect((await attemptOf(orderId)).state).toBe("CLOSED");
    expect((await payer.pull({ url }, "pay")).code).not.toBe(0);
  });

  it("sends back what arrives later, grants nothing, and does so once", async () => {
    const payer = createPayer(till);
    const { orderId } = (await payer.order("vip-month")).data;
    await remove(payer);
    for (let i = 0; i < 2; i++) expect(await arrive(orderId)).toBe(200);
    const { id, state } = await attemptOf(orderId);
    expect(state).toBe("REFUND_DUE");
    expect(await stateOf(orderId)).toBe("CLOSED");
    const refunds = till.db.selectFrom("pay_refund").select(["amount_fen", "reason"]).where("attempt_id", "=", id);
    expect(await refunds.execute()).toEqual([{ amount_fen: 3900, reason: "account-gone" }]);
    const grants = till.db.selectFrom("membership_grant").select("seq").where("account_id", "=", payer.account);
    expect(await grants.execute()).toEqual([]);
    expect(till.mistakes.filter((mistake) => mistake.orderId === orderId)).toMatchObject([{ kind: "late" }]);
  });

  it("leaves others' orders and paid ones alone", async () => {
    const [payer, other] = [createPayer(till), createPayer(till)];
    const paid = (await payer.order("vip-month")).data;
    await payer.pull(paid, "pay");
    await till.work();
    const open = (await other.order("vip-month")).data;
    await remove(payer);
    await till.work();
    expect(await stateOf(paid.orderId)).toBe("PAID");
    expect(await stateOf(open.orderId)).toBe("OPEN");
    expect((await attemptOf(paid.orderId)).state).toBe("PAID");
  });
});
