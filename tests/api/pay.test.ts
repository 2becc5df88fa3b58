import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDays } from "~server/upstream/operations/commands/today";
import { createPayer, md5, openTestBilling, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";

const texts = { name: "限时", description: "", badge: "" };
const seasonal = { ...texts, packageType: 1 as const, priceFen: 500, originalFen: null, days: 7, monthly: false };

describe.each(testEngines)("paying on %s", (engine) => {
  let setup: TestBilling;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
  });
  afterAll(() => setup.close());

  const daysLeft = async (account: string) => {
    const { vipExpire, svipExpire, tier } = await setup.billing.membership(account);
    const days = (expiry: number) => Math.max(0, Math.round((expiry - setup.now().getTime() / 1000) / 86_400));
    return { vip: days(vipExpire), svip: days(svipExpire), tier };
  };
  const anomaliesOf = (orderId: string) =>
    setup.db.selectFrom("pay_anomaly").select("kind").where("order_id", "=", orderId).execute();
  const attemptsOf = (orderId: string) =>
    setup.db
      .selectFrom("pay_attempt")
      .select(["id", "state", "out_trade_no"])
      .where("order_id", "=", orderId)
      .orderBy("created_at")
      .execute();

  describe("packages", () => {
    it("are listed for every caller, a month of the normal tier last", async () => {
      const { code, data } = await createPayer(setup, "").get<Array<Record<string, unknown>>>("/pay/product");
      expect(code).toBe(0);
      expect(new Set(data.map(({ packageType }) => packageType))).toEqual(new Set([1, 2, 3]));
      expect(data.at(-1)).toMatchObject({
        pCode: "vip-month",
        price: 3900,
        days: 30,
        usedChar: 0,
        monthChar: 50_000,
      });
      expect(new Set(data.map(({ pCount }) => pCount)).size).toBe(data.length);
    });

    it("contain a member's usage of the month in units of 10,000", async () => {
      const payer = createPayer(setup);
      await setup.operations.grant(payer.account, { tier: "svip", days: 30 });
      await setup.db.transaction().execute((trx) =>
        setup.billing.characters.reserveCharacters(trx, {
          accountId: payer.account,
          characters: 12_500,
          taskId: `used-${payer.account}`,
        }),
      );
      const { data } =
        await payer.get<Array<{ usedChar: number; packChar: number; packageType: number }>>("/pay/product");
      expect(data.every(({ usedChar }) => usedChar === 1.25)).toBe(true);
      expect(data.find(({ packageType }) => packageType === 3)?.packChar).toBe(110_000);
    });
  });

  describe("an order", () => {
    it("is paid at the cashier and granted once", async () => {
      const payer = createPayer(setup);
      const { code, data: order } = await payer.order("svip-month");
      expect(code).toBe(0);
      expect(order).toMatchObject({ price: 9900, sign: md5(order.orderId) });
      expect(order.expireAt * 1000 - setup.now().getTime()).toBeGreaterThan(29 * 60_000);
      expect(await payer.result(order)).toBe("waiting");
      expect((await payer.pull(order, "pay")).data).toMatchObject({ state: "paid", price: 9900 });
      await setup.work();
      expect(await payer.result(order)).toBe("success");
      expect(await daysLeft(payer.account)).toEqual({ vip: 0, svip: 30, tier: "svip" });
      expect((await setup.billing.membership(payer.account)).isMonthly).toBe(true);
      const { data } = await payer.get<{ list: object[]; total: number }>("/pay/orders");
      expect(data).toMatchObject({
        total: 1,
        list: [{ orderId: order.orderId, result: "success", pCode: "svip-month" }],
      });
      const ledger = await payer.get<{ list: object[] }>("/users/ledger");
      expect(ledger.data.list).toMatchObject([
        { kind: "grant", bucket: "svip", characters: 100_000, ref: expect.stringMatching(/^\d+\/0$/) },
        { kind: "grant", bucket: "svip", characters: 0, ref: order.orderId, subject: "专业会员 · 月度" },
        { kind: "payment", amountFen: 9900, ref: order.orderId },
      ]);
    });

    it("is created once for twenty identical concurrent requests, with one attempt", async () => {
      const payer = createPayer(setup);
      const key = "same-key";
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => payer.order("vip-month", i % 2 ? { key } : {})),
      );
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([0]));
      expect(new Set(answers.map(({ data }) => data.orderId)).size).toBe(1);
      expect(new Set(answers.map(({ data }) => data.url)).size).toBe(1);
      expect(await attemptsOf(String(answers[0]?.data.orderId))).toHaveLength(1);
    });

    it("gets one more attempt for another method and keeps the first", async () => {
      const payer = createPayer(setup);
      const wechat = (await payer.order("vip-month")).data;
      const alipay = (await payer.order("vip-month", { platform: 2, tradeType: "h5" })).data;
      expect(alipay.orderId).toBe(wechat.orderId);
      expect(alipay.url).not.toBe(wechat.url);
      expect((await payer.order("vip-month")).data.url).toBe(wechat.url);
      await payer.pull(alipay, "pay");
      await setup.work();
      expect(await payer.result(wechat)).toBe("success");
      expect((await attemptsOf(wechat.orderId)).map(({ state }) => state).sort()).toEqual(["CLOSED", "PAID"]);
      expect((await payer.pull(wechat, "pay")).code).toBe(7);
    });

    it("is new when the price changed, and the old one's payment is still accepted", async () => {
      const payer = createPayer(setup);
      const code = `seasonal-${payer.account}`;
      await setup.operations.createPackage({ ...seasonal, code, number: 900 });
      const before = (await payer.order(code)).data;
      await setup.operations.changePackage("price-package", code, { price_fen: 700 });
      const after = (await payer.order(code)).data;
      expect(after).toMatchObject({ price: 700 });
      expect(after.orderId).not.toBe(before.orderId);
      await payer.pull(before, "pay");
      await setup.work();
      expect(await payer.result(before)).toBe("success");
      expect(await payer.result(after)).toBe("waiting");
      await setup.operations.withdrawPackage(code);
      expect(await payer.order(code)).toMatchObject({ code: 7, msg: "not-found" });
      const audit = await setup.db.selectFrom("audit").select("action").where("target", "=", code).execute();
      expect(audit.map(({ action }) => action).sort()).toEqual(["create-package", "price-package", "withdraw-package"]);
    });

    it("is the same for a repeated idempotency key after a change of the price", async () => {
      const payer = createPayer(setup);
      const key = `key-${payer.account}`;
      const code = `lost-${payer.account}`;
      await setup.operations.createPackage({ ...seasonal, code, number: 901 });
      const first = (await payer.order(code, { key })).data;
      await setup.operations.changePackage("price-package", code, { price_fen: 700 });
      expect((await payer.order(code, { key })).data).toEqual(first);
      const list = await payer.get<{ total: number }>("/pay/orders");
      expect(list.data.total).toBe(1);
      expect(await payer.order("vip-month", { key })).toMatchObject({ status: 409, code: 7 });
      expect((await payer.order(code, { key: `${key}-2` })).data).toMatchObject({ price: 700 });
      await setup.operations.withdrawPackage(code);
    });

    it("closes when it expires unpaid", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("vip-year")).data;
      await setup.advance(31 * 60);
      await setup.work();
      expect(await payer.result(order)).toBe("closed");
      expect(await attemptsOf(order.orderId)).toMatchObject([{ state: "CLOSED" }]);
      expect((await payer.order("vip-year")).data.orderId).not.toBe(order.orderId);
    });

    it.each([
      ["a forged sign", { pCode: "vip-month", sign: md5("x"), platform: 1 }, 400, "bad-request"],
      ["no sign", { pCode: "vip-month", platform: 1 }, 400, "bad-request"],
      ["an unknown method", { pCode: "vip-month", sign: md5("vip-month"), platform: 3 }, 400, "bad-request"],
      ["an unknown package", { pCode: "nothing", sign: md5("nothing"), platform: 1 }, 200, "not-found"],
    ])("is refused with %s", async (...[, body, status, msg]) => {
      expect(await createPayer(setup).post("/pay/order/qrcode", body)).toMatchObject({ status, code: 7, msg });
    });

    it("requires a login", async () => {
      expect(await createPayer(setup, "").order("vip-month")).toMatchObject({ code: 5 });
    });

    it("is not visible to another account", async () => {
      const order = (await createPayer(setup).order("vip-month")).data;
      const stranger = createPayer(setup);
      const asked = { orderId: order.orderId, sign: order.sign };
      expect(await stranger.post("/pay/result", asked)).toMatchObject({ code: 7, msg: "not-found" });
      const unknown = { orderId: "1", sign: md5("1") };
      expect(await stranger.post("/pay/result", unknown)).toMatchObject({ code: 7, msg: "not-found" });
      expect((await stranger.get<{ total: number }>("/pay/orders")).data.total).toBe(0);
    });
  });

  describe("an add-on pack", () => {
    it("is refused for a non-member before any payment", async () => {
      const payer = createPayer(setup);
      expect(await payer.order("pack-1")).toMatchObject({ code: 1001, data: { reason: "tier" } });
      const orders = await setup.db
        .selectFrom("pay_order")
        .select("id")
        .where("account_id", "=", payer.account)
        .execute();
      expect(orders).toHaveLength(0);
    });

    it("grants the characters of the buyer's tier for each purchase", async () => {
      const payer = createPayer(setup);
      await setup.operations.grant(payer.account, { tier: "vip", days: 30 });
      for (let i = 0; i < 2; i++) {
        await payer.pull((await payer.order("pack-1")).data, "pay");
        await setup.work();
      }
      await setup.operations.grant(payer.account, { tier: "svip", days: 30 });
      await payer.pull((await payer.order("pack-1")).data, "pay");
      await setup.work();
      const quota = await setup.billing.characters.findQuota(setup.db, payer.account);
      expect(quota.pack).toEqual({ total: 230_000, used: 0, left: 230_000 });
    });
  });

  describe("the characters of a step", () => {
    it("can be started early by the payer who renewed, and the ledger shows each with its end", async () => {
      const payer = createPayer(setup);
      const buy = async (pCode: string) => {
        await payer.pull((await payer.order(pCode)).data, "pay");
        await setup.work();
      };
      const use = (characters: number) =>
        setup.db.transaction().execute((trx) => {
          const task = { accountId: payer.account, characters, taskId: randomUUID() };
          return setup.billing.characters.reserveCharacters(trx, task);
        });
      const start = () => payer.post("/users/step/start", {});
      await buy("vip-month");
      expect(await start()).toMatchObject({ code: 7 });
      await buy("vip-month");
      await use(1);
      expect(await start()).toMatchObject({ code: 7 });
      await use(49_999);
      expect(await start()).toMatchObject({ code: 0 });
      await buy("pack-1");
      expect((await setup.billing.quota(payer.account)).vip).toEqual({ total: 100_000, used: 50_000, left: 50_000 });
      const { data } = await payer.get<{ list: Array<{ kind: string; characters: number; endsAt: string }> }>(
        "/users/ledger",
      );
      const granted = data.list.filter(({ kind, characters }) => kind === "grant" && characters > 0);
      const inDays = ({ endsAt }: { endsAt: string }) =>
        Math.round((new Date(endsAt).getTime() - setup.now().getTime()) / 86_400_000);
      expect(granted.map((one) => [one.characters, inDays(one)])).toEqual([
        [60_000, 30],
        [50_000, 60],
        [50_000, 30],
      ]);
    });
  });

  describe("the cashier", () => {
    it("shows the payment only to callers with the link", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("svip-year")).data;
      const id = order.url.split("/").at(-1);
      expect((await createPayer(setup, "").get(`/sandbox/cashier?id=${id}`)).data).toMatchObject({
        id,
        price: 89_900,
        state: "open",
        platform: 1,
      });
      expect(await payer.get("/sandbox/cashier?id=1")).toMatchObject({ code: 7, msg: "not-found" });
      expect((await payer.post("/sandbox/cashier", { id, lever: "rob" })).status).toBe(400);
    });

    it("allows a retry after a failed payment", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("vip-month")).data;
      expect((await payer.pull(order, "fail")).data).toMatchObject({ state: "open" });
      await setup.work();
      expect(await payer.result(order)).toBe("waiting");
      await payer.pull(order, "pay");
      await setup.work();
      expect(await payer.result(order)).toBe("success");
      expect((await payer.pull(order, "pay")).msg).toBe("bad-request");
    });
  });

  describe("an unusual payment", () => {
    it("is granted once when notified twice", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("vip-month")).data;
      await payer.pull(order, "duplicate");
      await setup.work();
      expect(await daysLeft(payer.account)).toMatchObject({ vip: 30 });
      expect(await anomaliesOf(order.orderId)).toEqual([]);
    });

    it("is granted in full after the order closed, and is reported", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("vip-month")).data;
      await payer.pull(order, "late");
      await setup.work();
      await setup.advance(5);
      expect(await payer.result(order)).toBe("waiting");
      await setup.advance(31 * 60);
      await setup.work(["pay-expire"]);
      const state = setup.db.selectFrom("pay_order").select("state").where("id", "=", order.orderId);
      expect(await state.executeTakeFirst()).toEqual({ state: "CLOSED" });
      await setup.work(["pay-close", "sandbox-notify"]);
      expect(await payer.result(order)).toBe("success");
      expect(await daysLeft(payer.account)).toMatchObject({ vip: 30 });
      expect(await anomaliesOf(order.orderId)).toEqual([{ kind: "late" }]);
    });

    it("is refunded once from two QR codes of one order", async () => {
      const payer = createPayer(setup);
      const first = (await payer.order("svip-month")).data;
      await payer.order("svip-month", { platform: 2 });
      const [before] = await readDays(setup.db, 1, setup.now());
      await payer.pull(first, "double");
      await setup.work();
      // The second payment is not revenue, and neither is its way back.
      const { paidFen, refundedFen } = before as { paidFen: number; refundedFen: number };
      expect((await readDays(setup.db, 1, setup.now()))[0]).toMatchObject({ paidFen: paidFen + 9900, refundedFen });
      expect(await daysLeft(payer.account)).toMatchObject({ svip: 30 });
      expect((await attemptsOf(first.orderId)).map(({ state }) => state).sort()).toEqual(["PAID", "REFUNDED"]);
      expect(await anomaliesOf(first.orderId)).toEqual([{ kind: "double" }]);
      const { data } = await payer.get<{ list: Array<{ amountFen: number }> }>("/users/ledger");
      expect(data.list.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(9900);
    });

    it("is recorded as a conflict for two transactions of one QR code", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("svip-month")).data;
      await payer.pull(order, "double");
      await setup.work();
      expect(await daysLeft(payer.account)).toMatchObject({ svip: 30 });
      expect(await anomaliesOf(order.orderId)).toEqual([{ kind: "conflict" }]);
    });

    it("is recorded separately with another amount, even after a forged notification", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("svip-year")).data;
      await payer.pull(order, "tamper");
      await setup.work();
      expect(await payer.result(order)).toBe("waiting");
      expect(await daysLeft(payer.account)).toMatchObject({ tier: null });
      expect(await attemptsOf(order.orderId)).toMatchObject([{ state: "SUSPENSE" }]);
      expect(await anomaliesOf(order.orderId)).toEqual([{ kind: "amount" }]);
    });

    it("is found without a notification", async () => {
      const payer = createPayer(setup);
      const asked = (await payer.order("vip-month")).data;
      const scheduled = (await payer.order("vip-quarter")).data;
      for (const order of [asked, scheduled]) await payer.pull(order, "pay");
      await setup.db.deleteFrom("job").where("kind", "=", "sandbox-notify").execute();
      await setup.advance(6);
      expect(await payer.result(asked)).toBe("success");
      await setup.work(["pay-query"]);
      const state = setup.db.selectFrom("pay_order").select("state").where("id", "=", scheduled.orderId);
      expect(await state.executeTakeFirst()).toEqual({ state: "PAID" });
    });
  });
});
