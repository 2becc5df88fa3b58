import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { grantedSection } from "~server/upstream/operations/commands/orders";
import { createPayer, openTestBilling, type Payer, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";

describe.each(testEngines)("operators on %s", (engine) => {
  let setup: TestBilling;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
  });
  afterAll(() => setup.close());
  beforeEach(() => setup.db.deleteFrom("job").execute());

  const buy = async (payer: Payer, pCode: string) => {
    const order = (await payer.order(pCode)).data;
    await payer.pull(order, "pay");
    await setup.work(["sandbox-notify"]);
    return order;
  };
  const today = () => new Date(setup.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
  const secondsLeft = async ({ account }: Payer) => {
    const { svipExpire, vipExpire } = await setup.billing.membership(account);
    return Math.max(0, Math.max(svipExpire, vipExpire) - setup.now().getTime() / 1000);
  };
  const daysLeft = async ({ account }: Payer) => {
    const { svipExpire, vipExpire, tier } = await setup.billing.membership(account);
    const now = setup.now().getTime() / 1000;
    const round = (seconds: number) => Math.max(0, Math.round(seconds / 86_400));
    return { tier, vip: round(vipExpire - Math.max(now, svipExpire)), svip: round(svipExpire - now) };
  };

  describe("refunding", () => {
    it("in full removes all of the time and sends the money", async () => {
      const payer = createPayer(setup);
      await setup.operations.grant(payer.account, { tier: "vip", days: 10 });
      const order = await buy(payer, "svip-year");
      await setup.operations.refund(order.orderId);
      expect(await daysLeft(payer)).toEqual({ tier: "vip", vip: 10, svip: 0 });
      expect(await payer.result(order)).toBe("success");
      await setup.work(["pay-refund"]);
      expect(await payer.result(order)).toBe("refunded");
      const { data } = await payer.get<{ list: Array<{ amountFen: number }> }>("/users/ledger");
      expect(data.list.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(0);
    });

    it("in full after half of the time removes the other half and keeps the other tier's days", async () => {
      const payer = createPayer(setup);
      await buy(payer, "vip-month");
      await setup.advance(10 * 86_400);
      const order = await buy(payer, "svip-month");
      await setup.advance(15 * 86_400);
      expect(await daysLeft(payer)).toEqual({ tier: "svip", vip: 20, svip: 15 });
      await setup.operations.refund(order.orderId);
      expect(await daysLeft(payer)).toEqual({ tier: "vip", vip: 20, svip: 0 });
    });

    it("is asked for by the payer, and leaves the operators' list with their answer", async () => {
      const payer = createPayer(setup);
      const order = await buy(payer, "svip-month");
      const ask = (who: Payer) => who.post("/pay/order/refund", { orderId: order.orderId });
      const shown = async () =>
        (await payer.get<{ list: Array<{ isRefundAsked: boolean; refundDeclined: string }> }>("/pay/orders")).data
          .list[0];
      const isAsked = async () => (await shown())?.isRefundAsked;
      const listed = async () => (await setup.operations.orders({ isRefundAsked: true, limit: 10 })).length;
      expect(await ask(createPayer(setup))).toMatchObject({ msg: "not-found" });
      expect([(await ask(payer)).code, (await ask(payer)).code]).toEqual([0, 0]);
      expect([await isAsked(), await listed()]).toEqual([true, 1]);
      await setup.operations.declineRefund(order.orderId);
      await expect(setup.operations.declineRefund(order.orderId)).rejects.toMatchObject({ code: "not-found" });
      expect([await shown(), await listed()]).toMatchObject([{ isRefundAsked: false, refundDeclined: "a test" }, 0]);
      await ask(payer);
      expect(await shown()).toMatchObject({ isRefundAsked: true, refundDeclined: "" });
      await setup.operations.refund(order.orderId);
      expect([await isAsked(), await listed()]).toEqual([false, 0]);
      expect(await ask(payer)).toMatchObject({ msg: "bad-request" });
    });

    it("in parts removes parts, never more than was paid", async () => {
      const payer = createPayer(setup);
      const order = await buy(payer, "svip-month");
      await setup.operations.refund(order.orderId, 3300);
      expect((await secondsLeft(payer)) / 86_400).toBeCloseTo(20, 2);
      await expect(setup.operations.refund(order.orderId, 1)).rejects.toMatchObject({
        message: "a refund is on its way",
      });
      await setup.work(["pay-refund"]);
      expect(await payer.result(order)).toBe("success");
      await expect(setup.operations.refund(order.orderId, 6601)).rejects.toMatchObject({ code: "bad-request" });
      await setup.operations.refund(order.orderId, 6600);
      await setup.work(["pay-refund"]);
      expect(await secondsLeft(payer)).toBe(0);
      expect(await payer.result(order)).toBe("refunded");
      await expect(setup.operations.refund(order.orderId)).rejects.toMatchObject({ code: "bad-request" });
    });

    it("of a pack removes the remaining characters", async () => {
      const payer = createPayer(setup);
      await setup.operations.grant(payer.account, { tier: "vip", days: 30 });
      const order = await buy(payer, "pack-1");
      const { reserveCharacters } = setup.billing.characters;
      const task = { accountId: payer.account, characters: 80_000, taskId: `pack-${payer.account}` };
      await setup.db.transaction().execute((trx) => reserveCharacters(trx, task));
      await expect(setup.operations.refund(order.orderId)).rejects.toMatchObject({
        code: "bad-request",
        message: expect.stringContaining("at most 19.50 yuan can be refunded"),
      });
      const [granted] = await grantedSection(setup.db, order.orderId);
      expect(granted?.rows).toEqual([
        { bucket: "pack", characters: 60_000, charactersUsed: 30_000, charactersLeft: 30_000 },
      ]);
      await setup.operations.refund(order.orderId, 1950);
      expect((await setup.billing.characters.findQuota(setup.db, payer.account)).pack).toEqual({
        total: 30_000,
        used: 30_000,
        left: 0,
      });
    });

    it("is refused for an unpaid order", async () => {
      const order = (await createPayer(setup).order("vip-month")).data;
      await expect(setup.operations.refund(order.orderId)).rejects.toMatchObject({ code: "bad-request" });
    });

    it("is not undone by a repeated payment notification", async () => {
      const payer = createPayer(setup);
      const order = (await payer.order("svip-month")).data;
      await payer.pull(order, "duplicate");
      const [first] = await setup.db.selectFrom("job").selectAll().where("kind", "=", "sandbox-notify").execute();
      await setup.work(["sandbox-notify"]);
      await setup.operations.refund(order.orderId);
      await setup.work(["pay-refund"]);
      await setup.db
        .insertInto("job")
        .values({ kind: "sandbox-notify", payload: JSON.stringify(first?.payload) })
        .execute();
      await setup.work(["sandbox-notify"]);
      expect(await payer.result(order)).toBe("refunded");
      expect(await secondsLeft(payer)).toBe(0);
    });
  });

  it("create an audit row for each completed action and none for a failed one", async () => {
    const payer = createPayer(setup);
    await setup.operations.grant(payer.account, { characters: 500 });
    await setup.operations.grant(payer.account, { tier: "svip", days: 3 });
    const order = await buy(payer, "vip-month");
    await setup.operations.refund(order.orderId, 100);
    await setup.operations.refund(order.orderId, 100).catch(() => {});
    const rows = await setup.db
      .selectFrom("audit")
      .select(["operator", "action", "detail"])
      .where("target", "in", [payer.account, order.orderId])
      .orderBy("created_at")
      .execute();
    expect(rows).toEqual([
      { operator: "tester", action: "grant", detail: { characters: 500, reason: "a test" } },
      { operator: "tester", action: "grant", detail: { tier: "svip", days: 3, reason: "a test" } },
      { operator: "tester", action: "refund", detail: expect.objectContaining({ amountFen: 100, reason: "a test" }) },
    ]);
    await expect(setup.db.deleteFrom("audit").execute()).rejects.toThrow("append-only");
    await expect(setup.db.updateTable("ledger").set({ characters: 9 }).execute()).rejects.toThrow("append-only");
  });

  describe("reconciling a day", () => {
    it("finds no difference when bill and ledger agree", async () => {
      setup.set(new Date("2027-01-10T04:00:00Z"));
      const payer = createPayer(setup);
      await buy(payer, "vip-month");
      const order = await buy(payer, "svip-month");
      await setup.operations.refund(order.orderId, 1000);
      await setup.work(["pay-refund"]);
      expect(await setup.operations.reconcile(today())).toEqual([]);
    });

    it("grants a payment without notification and records it once", async () => {
      setup.set(new Date("2027-02-10T04:00:00Z"));
      const payer = createPayer(setup);
      const order = (await payer.order("vip-month")).data;
      await payer.pull(order, "pay");
      await setup.db.deleteFrom("job").execute();
      expect(await setup.operations.reconcile(today())).toMatchObject([
        { kind: "ours-missing", orderId: order.orderId },
      ]);
      expect(await payer.result(order)).toBe("success");
      expect(await setup.operations.reconcile(today())).toEqual([]);
      const filed = await setup.db
        .selectFrom("pay_anomaly")
        .select("kind")
        .where("order_id", "=", order.orderId)
        .execute();
      expect(filed).toEqual([{ kind: "ours-missing" }]);
    });

    it("records every other difference by its kind", async () => {
      setup.set(new Date("2027-03-10T04:00:00Z"));
      const payer = createPayer(setup);
      const attempt = async (pCode: string) => {
        const order = await buy(payer, pCode);
        const row = setup.db.selectFrom("pay_attempt").selectAll().where("order_id", "=", order.orderId);
        return { order, out: (await row.executeTakeFirstOrThrow()).out_trade_no };
      };
      const lost = await attempt("vip-month");
      const other = await attempt("vip-quarter");
      const returned = await attempt("vip-year");
      const trades = setup.db.updateTable("sandbox_trade");
      await trades
        .set({ paid_at: new Date(0) })
        .where("out_trade_no", "=", lost.out)
        .execute();
      await trades.set({ paid_fen: 9800 }).where("out_trade_no", "=", other.out).execute();
      await setup.db
        .insertInto("sandbox_refund")
        .values({
          number: `by-hand-${returned.out}`,
          out_trade_no: returned.out,
          amount_fen: 1,
          created_at: setup.now(),
        })
        .execute();
      const found = await setup.operations.reconcile(today());
      expect(found.map(({ kind }) => kind).sort()).toEqual(["amount", "state", "theirs-missing"]);
    });

    it("includes the days on which no worker ran", async () => {
      setup.set(new Date("2027-06-11T03:00:00Z"));
      await setup.db.deleteFrom("pay_comparison").execute();
      await setup.billing.plan();
      await setup.work(["pay-reconcile"]);
      const last = () => setup.db.selectFrom("pay_comparison").select(["gateway", "day"]).execute();
      expect(await last()).toEqual([{ gateway: "sandbox", day: "2027-06-10" }]);
      await setup.db.deleteFrom("job").execute();
      const orders = [];
      for (const day of ["2027-06-12", "2027-06-14"]) {
        setup.set(new Date(`${day}T04:00:00Z`));
        const payer = createPayer(setup);
        const order = (await payer.order("vip-month")).data;
        await payer.pull(order, "pay");
        orders.push({ payer, order });
        await setup.db.deleteFrom("job").execute();
      }
      setup.set(new Date("2027-06-16T03:00:00Z"));
      await setup.billing.plan();
      await setup.work(["pay-reconcile"]);
      const states = setup.db.selectFrom("pay_order").select("state");
      for (const { order } of orders) {
        expect(await states.where("id", "=", order.orderId).execute()).toEqual([{ state: "PAID" }]);
      }
      expect(await last()).toEqual([{ gateway: "sandbox", day: "2027-06-15" }]);
    });

    it("runs automatically every day", async () => {
      setup.set(new Date("2027-04-11T03:00:00Z"));
      await setup.db.deleteFrom("pay_comparison").execute();
      const payer = createPayer(setup);
      const order = (await payer.order("vip-month")).data;
      await payer.pull(order, "pay");
      await setup.db.deleteFrom("job").execute();
      await setup.billing.plan();
      await setup.billing.plan();
      await setup.work(["pay-reconcile"]);
      const waiting = setup.db
        .selectFrom("job")
        .select("id")
        .where("kind", "=", "pay-reconcile")
        .where("state", "=", "ready");
      expect(await waiting.execute()).toHaveLength(1);
      expect(await payer.get<{ list: object[] }>("/pay/orders")).toMatchObject({
        data: { list: [{ result: "waiting" }] },
      });
      await setup.advance(86_400);
      await setup.work(["pay-reconcile"]);
      expect(await payer.get<{ list: object[] }>("/pay/orders")).toMatchObject({
        data: { list: [{ result: "success" }] },
      });
    });
  });
});
