import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Method, placeOrder } from "~server/upstream/billing/orders/orders";
import { createServices } from "~server/upstream/compose/services";
import { createQueue } from "~server/upstream/jobs/queue";
import { createAlipay } from "~server/upstream/payments/gateways/alipay/alipay";
import { openTestDatabase, testEngines } from "../support/database";
import { openAlipay } from "../support/payment-servers/alipay";
import { openWechatPay } from "../support/payment-servers/wechat-pay";
import { createToneSpeech } from "../support/tone-engine";
import { testConfig } from "../support/upstream";

const methods = {
  wechat: { gateway: "wechat", platform: 1, tradeType: "native" },
  alipay: { gateway: "alipay", platform: 2, tradeType: "native" },
} satisfies Record<string, Method>;

it.each(testEngines)("a payment is found while the other gateway does not answer, on %s", async (engine) => {
  const [wechat, alipay] = await Promise.all([openWechatPay(), openAlipay()]);
  const database = await openTestDatabase(engine);
  const { db } = database;
  const dataDir = await mkdtemp(join(tmpdir(), "test-outage-"));
  const payments = { wechatPay: wechat.settings, alipay: alipay.settings };
  const config = { ...testConfig(dataDir), mode: "production" as const, payments };
  const services = await createServices(config, { speech: createToneSpeech(), previews: false, database });
  const queue = createQueue();
  const order = (method: Method) => {
    const request = { accountId: randomUUID(), productCode: "vip-month", method };
    return db.transaction().execute((trx) => placeOrder({ trx, queue, at: new Date() }, request));
  };
  for (let i = 0; i < 30; i++) await order(methods.wechat);
  wechat.spoil = "slow";
  const paid = await order(methods.alipay);
  await createAlipay(alipay.settings).createPayment({
    outTradeNo: paid.out_trade_no,
    orderId: paid.order_id,
    subject: "普通会员",
    amountFen: 3900,
    platform: 2,
    tradeType: "native",
    expiresAt: new Date(Date.now() + 1_800_000),
    clientAddress: "203.0.113.9",
  });
  alipay.pay(paid.out_trade_no);
  const due = db.updateTable("job").set({ run_at: new Date(0) });
  await due.where("kind", "=", "pay-query").where("state", "=", "ready").execute();
  services.startWorker();
  const stateOf = async () =>
    (await db.selectFrom("pay_order").select("state").where("id", "=", paid.order_id).executeTakeFirstOrThrow()).state;
  await expect.poll(stateOf, { timeout: 8000, interval: 100 }).toBe("PAID");
  expect(wechat.asked.length).toBeGreaterThan(0);
  await services.close();
  await Promise.all([database.close(), wechat.close(), alipay.close()]);
  await rm(dataDir, { recursive: true, force: true });
});
