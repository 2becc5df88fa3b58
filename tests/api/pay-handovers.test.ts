import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWechatPay } from "~server/upstream/payments/gateways/wechat-pay/wechat-pay";
import { createPayer, type Order, openTestBilling, type Payer, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";
import { openid, openWechatPay, type WechatPayServer } from "../support/payment-servers/wechat-pay";

describe.each(testEngines)("orders on %s", (engine) => {
  let server: WechatPayServer;
  let setup: TestBilling;
  beforeAll(async () => {
    server = await openWechatPay();
    setup = await openTestBilling(engine, () => createWechatPay(server.settings));
  });
  afterAll(async () => {
    await setup.close();
    await server.close();
  });
  beforeEach(() => setup.set(new Date()));

  const minutes = (count: number) => setup.set(new Date(Date.now() + count * 60_000));
  const attemptsOf = ({ orderId }: Pick<Order, "orderId">) =>
    setup.db.selectFrom("pay_attempt").selectAll().where("order_id", "=", orderId).orderBy("created_at").execute();

  describe("inside WeChat", () => {
    const inWechat = (payer: Payer, openId: string) => payer.order("vip-month", { tradeType: "jsapi", payer: openId });

    it("are paid by the payer that the code names", async () => {
      const payer = createPayer(setup);
      const state = "s".repeat(20);
      const back = encodeURIComponent("https://voice.example/bff/wechat");
      const asked = await payer.get<{ url: string }>(`/pay/authorize?platform=1&returnTo=${back}&state=${state}`);
      const sent = await fetch(asked.data.url, { redirect: "manual" });
      const code = new URL(sent.headers.get("location") ?? "").searchParams.get("code") ?? "";
      const told = await payer.get<{ payer: string }>(`/pay/payer?platform=1&code=${code}`);
      expect(told.data.payer).toBe(openid);
      expect((await payer.get(`/pay/payer?platform=1&code=${code}`)).code).toBe(7);
      const { data: order } = await inWechat(payer, openid);
      const parameters = Object.fromEntries(new URL(order.url).searchParams);
      const paid = await fetch(`${server.origin}/app/pay`, { method: "POST", body: JSON.stringify(parameters) });
      expect(await paid.json()).toEqual({ err_msg: "ok" });
      minutes(1);
      expect(await payer.result(order)).toBe("success");
    });

    it("have an attempt for each WeChat user of one account", async () => {
      const payer = createPayer(setup);
      const [mine, again, others] = [
        await inWechat(payer, "a"),
        await inWechat(payer, "a"),
        await inWechat(payer, "b"),
      ];
      expect(again.data).toEqual(mine.data);
      expect(others.data.orderId).toBe(mine.data.orderId);
      expect((await attemptsOf(mine.data)).map((attempt) => attempt.payer)).toEqual(["a", "b"]);
    });

    it("alone keep the payer", async () => {
      const { data } = await createPayer(setup).order("vip-month", { tradeType: "h5", payer: "a" });
      expect((await attemptsOf(data)).map((attempt) => attempt.payer)).toEqual([""]);
    });

    it("are refused without a payer, and where the gateway identifies none", async () => {
      const payer = createPayer(setup);
      expect((await payer.order("vip-month", { tradeType: "jsapi" })).code).toBe(7);
      const { payers: _, ...plain } = setup.gateways[1] as NonNullable<(typeof setup.gateways)[1]>;
      const known = setup.gateways[1];
      setup.gateways[1] = plain;
      expect((await inWechat(payer, "a")).code).toBe(7);
      setup.gateways[1] = known;
    });
  });

  describe("handed over to another browser", () => {
    async function handOver(payer: Payer, pCode = "vip-month") {
      const { data: order } = await payer.order(pCode, { tradeType: "h5" });
      const { data } = await payer.post<{ token: string; expireAt: number }>("/pay/handover", {
        orderId: order.orderId,
      });
      return { order, ...data };
    }
    const stranger = () => createPayer(setup, "");
    const open = (token: string) => stranger().post<{ pass: string }>("/pay/handover/open", { token });
    const show = (pass: string) =>
      stranger().get<{ status: { result: string }; name: string; price: number }>(`/pay/handover/show?pass=${pass}`);
    const pay = (pass: string) => stranger().post<Order>("/pay/handover/pay", { pass, platform: 1, tradeType: "h5" });

    it("can be paid and seen there without a login, and are the owner's", async () => {
      const payer = createPayer(setup);
      const { order, token } = await handOver(payer);
      const { pass } = (await open(token)).data;
      expect((await show(pass)).data).toMatchObject({ status: { result: "waiting" }, price: order.price });
      const paying = (await pay(pass)).data;
      expect([paying.orderId, paying.url]).toEqual([order.orderId, order.url]);
      const [attempt, ...others] = await attemptsOf(order);
      expect(others).toEqual([]);
      server.pay(attempt?.out_trade_no ?? "");
      minutes(1);
      expect(await payer.result(order)).toBe("success");
      expect((await show(pass)).data.status.result).toBe("success");
      expect((await pay(pass)).code).toBe(7);
    });

    it("by a link that opens once, within fifteen minutes, and is stored as a hash", async () => {
      const { token, expireAt } = await handOver(createPayer(setup));
      expect(expireAt).toBeCloseTo(Date.now() / 1000 + 900, -1);
      const stored = await setup.db.selectFrom("pay_handover").select("hash").execute();
      expect(stored.map(({ hash }) => hash)).not.toContain(token);
      const opened = await Promise.all([open(token), open(token)]);
      expect(opened.map(({ status }) => status).sort()).toEqual([200, 404]);
      expect((await show(token)).status).toBe(404);
      const late = await handOver(createPayer(setup));
      minutes(15.1);
      expect((await open(late.token)).status).toBe(404);
    });

    it("only by their owner, and only while they can be paid", async () => {
      const { order, token } = await handOver(createPayer(setup));
      const foreign = await createPayer(setup).post("/pay/handover", { orderId: order.orderId });
      expect(foreign.code).toBe(7);
      const { pass } = (await open(token)).data;
      minutes(29);
      expect((await pay(pass)).code).toBe(7);
      minutes(121);
      expect((await show(pass)).status).toBe(404);
    });

    it("by rows that go when the pass is over, and with the account", async () => {
      const hashes = async () => (await setup.db.selectFrom("pay_handover").select("hash").execute()).length;
      await setup.db.deleteFrom("pay_handover").execute();
      const payer = createPayer(setup);
      await handOver(payer);
      await open((await handOver(createPayer(setup))).token);
      await setup.billing.handovers.sweep();
      expect(await hashes()).toBe(2);
      const owner = `account:${payer.account}`;
      await setup.db.transaction().execute((trx) => setup.billing.closing.forget(trx, owner));
      expect(await hashes()).toBe(1);
      minutes(121);
      await setup.billing.handovers.sweep();
      expect(await hashes()).toBe(0);
    });
  });
});
