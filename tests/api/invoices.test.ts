import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPayer, openTestBilling, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";

const company = { buyer: "company", title: "晨声有限公司", taxNumber: "91310000ma1fl0abcd", email: "a@b.example" };
const person = { buyer: "person", title: "张三", taxNumber: "", email: "a@b.example" };

describe.each(testEngines)("invoices on %s", (engine) => {
  let setup: TestBilling;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
  });
  afterAll(() => setup.close());

  const createBuyer = async () => {
    const payer = createPayer(setup);
    const { data: order } = await payer.order("vip-month");
    await setup.work();
    await payer.pull(order, "pay");
    await setup.work();
    return {
      ...payer,
      orderId: order.orderId,
      ask: (details: object) => payer.post("/pay/order/invoice", { orderId: order.orderId, ...details }),
      invoice: async () => (await setup.billing.orders(payer.account, { page: 1, pageSize: 10 })).list[0]?.invoice,
    };
  };

  it("are asked for, corrected, and issued once", async () => {
    const { ask, invoice, orderId } = await createBuyer();
    expect(await invoice()).toBeNull();
    await ask(person);
    expect(await ask(company)).toMatchObject({ code: 0 });
    expect(await invoice()).toMatchObject({ state: "asked", title: "晨声有限公司", taxNumber: "91310000MA1FL0ABCD" });
    const listed = await setup.operations.invoices({ state: "ASKED", limit: 10 });
    expect(listed).toMatchObject([{ order_id: orderId, refunded_fen: 0 }]);
    await setup.operations.issueInvoice(orderId, "24312000000000000001");
    expect(await invoice()).toMatchObject({ state: "issued", number: "24312000000000000001" });
    expect(await ask(person)).toMatchObject({ msg: "invoice-issued" });
    await expect(setup.operations.issueInvoice(orderId, "1")).rejects.toMatchObject({ code: "not-found" });
  });

  it("can be asked for again after they were declined", async () => {
    const { ask, invoice, orderId } = await createBuyer();
    await ask(company);
    await setup.operations.declineInvoice(orderId);
    expect(await invoice()).toMatchObject({ state: "declined" });
    await ask(person);
    expect(await invoice()).toMatchObject({ state: "asked", title: "张三", taxNumber: "" });
  });

  it("are refused for money that was not paid or goes back, for other accounts, and with missing details", async () => {
    const { ask, orderId, post } = await createBuyer();
    for (const wrong of [{ title: " " }, { taxNumber: "" }, { taxNumber: "1234" }, { email: "a" }, { buyer: "x" }])
      expect((await ask({ ...company, ...wrong })).status).toBe(400);
    const other = createPayer(setup);
    expect(await other.post("/pay/order/invoice", { orderId, ...person })).toMatchObject({ msg: "not-found" });
    await post("/pay/order/refund", { orderId });
    expect(await ask(person)).toMatchObject({ msg: "invoice-refused" });
    const { data: open } = await other.order("vip-month");
    expect(await other.post("/pay/order/invoice", { orderId: open.orderId, ...person })).toMatchObject({
      msg: "invoice-refused",
    });
  });

  it("stay with the order of a deleted account if they are issued, without the address", async () => {
    const { ask, account, orderId } = await createBuyer();
    await ask(company);
    await setup.operations.issueInvoice(orderId, "7");
    const kept = await createBuyer();
    await kept.ask(person);
    for (const gone of [account, kept.account])
      await setup.db.transaction().execute((trx) => setup.billing.closing.forget(trx, `account:${gone}`));
    const left = (await setup.operations.invoices({ limit: 100 })).filter(({ account_id }) =>
      [account, kept.account].includes(account_id),
    );
    expect(left).toMatchObject([{ order_id: orderId, number: "7", email: "", title: "晨声有限公司" }]);
  });
});
