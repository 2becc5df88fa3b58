import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sign } from "~server/upstream/payments/gateways/sandbox/book";
import { createPayer, openTestBilling, type Payer, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";

describe.each(testEngines)("deleting an account with an open order on %s", (engine) => {
  let setup: TestBilling;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
  });
  afterAll(() => setup.close());

  const remove = ({ account }: Payer) =>
    setup.db.transaction().execute((trx) => setup.billing.closing.forget(trx, `account:${account}`));
  const attemptOf = (orderId: string) =>
    setup.db.selectFrom("pay_attempt").selectAll().where("order_id", "=", orderId).executeTakeFirstOrThrow();
  const stateOf = async (orderId: string) => {
    const order = setup.db.selectFrom("pay_order").select("state").where("id", "=", orderId);
    return (await order.executeTakeFirstOrThrow()).state;
  };

  /** The gateway reports the payment, whatever its state here. */
  async function arrive(orderId: string) {
    const key = await setup.db.selectFrom("sandbox_key").select("secret").executeTakeFirstOrThrow();
    const { out_trade_no: outTradeNo } = await attemptOf(orderId);
    const body = JSON.stringify({
      event: "TRADE.PAID",
      outTradeNo,
      transactionId: `T-${orderId}`,
      amountFen: 3900,
      currency: "CNY",
      merchantId: "sandbox-merchant",
      appId: "sandbox-app",
      paidAt: setup.now().toISOString(),
    });
    const { headers } = sign(key.secret, body, setup.now());
    return (await setup.app.request("/pay/notify/sandbox", { method: "POST", headers, body })).status;
  }

  it("closes the order here and at the gateway", async () => {
    const payer = createPayer(setup);
    const { orderId, url } = (await payer.order("vip-month")).data;
    await remove(payer);
    expect(await stateOf(orderId)).toBe("CLOSED");
    await setup.work();
    expect((await attemptOf(orderId)).state).toBe("CLOSED");
    expect((await payer.pull({ url }, "pay")).code).not.toBe(0);
  });

  it("refunds a later payment once and grants nothing", async () => {
    const payer = createPayer(setup);
    const { orderId } = (await payer.order("vip-month")).data;
    await remove(payer);
    for (let i = 0; i < 2; i++) expect(await arrive(orderId)).toBe(200);
    const { id, state } = await attemptOf(orderId);
    expect(state).toBe("REFUND_DUE");
    expect(await stateOf(orderId)).toBe("CLOSED");
    const refunds = setup.db.selectFrom("pay_refund").select(["amount_fen", "reason"]).where("attempt_id", "=", id);
    expect(await refunds.execute()).toEqual([{ amount_fen: 3900, reason: "account-gone" }]);
    const grants = setup.db.selectFrom("membership_grant").select("seq").where("account_id", "=", payer.account);
    expect(await grants.execute()).toEqual([]);
    expect(setup.anomalies.filter((anomaly) => anomaly.orderId === orderId)).toMatchObject([{ kind: "late" }]);
  });

  it("does not change paid orders or other accounts' orders", async () => {
    const [payer, other] = [createPayer(setup), createPayer(setup)];
    const paid = (await payer.order("vip-month")).data;
    await payer.pull(paid, "pay");
    await setup.work();
    const open = (await other.order("vip-month")).data;
    await remove(payer);
    await setup.work();
    expect(await stateOf(paid.orderId)).toBe("PAID");
    expect(await stateOf(open.orderId)).toBe("OPEN");
    expect((await attemptOf(paid.orderId)).state).toBe("PAID");
  });
});
