import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createAccountKeys } from "~server/upstream/accounts/credentials";
import { takeExpiries } from "~server/upstream/billing/expiries";
import { lockWallet } from "~server/upstream/billing/ledger";
import { grantTime } from "~server/upstream/billing/membership";
import type { DatabaseHandle } from "~server/upstream/db/database";
import { createOnce } from "~server/upstream/db/idempotency";
import { createRateLimit } from "~server/upstream/db/rate-limit";
import { claim } from "~server/upstream/jobs/claims";
import { createQueue } from "~server/upstream/jobs/queue";
import { createRunner } from "~server/upstream/jobs/runner";
import { enqueuePaid, Messages } from "~server/upstream/messages/messages";
import { createDemoSender, type TemplateMessage } from "~server/upstream/sms/sender";
import { createAliyunSender } from "~server/upstream/sms/senders/aliyun";
import { createTencentSender } from "~server/upstream/sms/senders/tencent";
import { logIn, nextPhone } from "../support/account";
import { createPayer, createTestBilling, md5 } from "../support/billing";
import { openTestDatabase, ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { openSmsVendor, type SmsVendor, smsKey } from "../support/sms-vendor";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const keys = createAccountKeys("a key for tests that is long enough");
const settings = { ...smsKey, signName: "声像", templateCode: "SMS_1", appId: "1400000000" };
const templates = { paid: "SMS_PAID", expiry: "SMS_EXPIRY" };
const daySeconds = 86_400;

let handle: DatabaseHandle;
let vendor: SmsVendor;
beforeAll(async () => {
  [handle, vendor] = await Promise.all([openTestDatabase(ruleEngines[0] ?? "embedded"), openSmsVendor()]);
});
afterAll(() => Promise.all([handle.close(), vendor.close()]));

describe.each(["aliyun", "tencent"] as const)("text messages to payers by %s", (provider) => {
  const create = provider === "aliyun" ? createAliyunSender : createTencentSender;
  const log = { warn: vi.fn() };
  let setup: Awaited<ReturnType<typeof openMessages>>;
  beforeEach(async () => {
    setup = await openMessages();
  });
  afterEach(async () => {
    Object.assign(vendor, { refusal: undefined, isSilent: false });
    vendor.sent.length = 0;
    log.warn.mockClear();
    await handle.db.deleteFrom("job").execute();
  });

  async function openMessages() {
    const { db } = handle;
    const queue = createQueue();
    const billing = await createTestBilling(handle, {
      onPaid: async (trx, orderId) => void (await enqueuePaid(queue, trx, orderId)),
    });
    const messages = new Messages({
      ...{ db, queue, templates, log, openPhone: keys.openPhone, now: billing.now },
      once: createOnce(db),
      hitRate: createRateLimit(db).hit,
      sender: create({ provider, ...settings }, vendor.dispatcher),
      async endOf(accountId) {
        const { vipExpire, svipExpire } = await billing.billing.membership(accountId);
        return Math.max(vipExpire, svipExpire);
      },
      takeExpiries: (tell) => takeExpiries(db, billing.now(), tell),
    });
    const run = createRunner({
      ...{ db, queue, handlers: messages.handlers, signal: new AbortController().signal },
      times: { leaseSeconds: 60, heartbeatMs: 5000, backoffSeconds: 1 },
      ...{ onError: () => {}, onDone: () => {} },
    });
    const work = async () => {
      const kinds = Object.keys(messages.handlers);
      for (let job = await claim(db, kinds, 60); job; job = await claim(db, kinds, 60)) await run(job);
    };
    return { ...billing, messages, work, workBilling: billing.work };
  }

  async function createAccount() {
    const phone = nextPhone();
    const { id } = await handle.db
      .insertInto("account")
      .values({ phone_hash: keys.hashPhone(phone), phone_sealed: keys.sealPhone(phone) })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, phone };
  }
  async function pay(accountId: string) {
    const payer = createPayer(setup, accountId);
    const { data } = await payer.order("vip-month");
    await payer.pull(data, "pay");
    await setup.workBilling();
    expect(await payer.result(data)).toBe("success");
  }
  const grantDays = (accountId: string, days: number) =>
    handle.db.transaction().execute(async (trx) => {
      await lockWallet(trx, accountId);
      const terms = { orderId: null, tier: "vip", monthly: false, at: setup.now() } as const;
      await grantTime(trx, { accountId, seconds: days * daySeconds, ...terms });
    });
  const tellExpiries = async () => {
    await setup.messages.planExpiries();
    await setup.work();
  };
  const receivedBy = ({ phone }: { phone: string }) => vendor.sent.filter((one) => one.phone === phone);

  it("say once that a payment has arrived, however often the gateway does", async () => {
    const member = await createAccount();
    await pay(member.id);
    await setup.work();
    await setup.advance(daySeconds);
    await setup.workBilling();
    await setup.work();
    expect(receivedBy(member)).toMatchObject([{ template: "SMS_PAID", values: [expect.stringMatching(/^\d/)] }]);
  });

  it("say once, by day, that a membership ends in three days", async () => {
    setup.set(new Date("2027-03-01T02:00:00+08:00"));
    const member = await createAccount();
    await grantDays(member.id, 30);
    await tellExpiries();
    await setup.advance(27 * daySeconds);
    await tellExpiries();
    expect(receivedBy(member)).toEqual([]);
    await setup.advance(7 * 3600);
    await tellExpiries();
    await setup.advance(daySeconds);
    await tellExpiries();
    expect(receivedBy(member)).toMatchObject([{ template: "SMS_EXPIRY", values: ["3", "31"] }]);
  });

  it("say nothing of an end that was put off while the message waited for the day", async () => {
    setup.set(new Date("2027-03-01T02:00:00+08:00"));
    const member = await createAccount();
    await grantDays(member.id, 30);
    await tellExpiries();
    await setup.advance(27 * daySeconds);
    await tellExpiries();
    await grantDays(member.id, 30);
    await setup.advance(7 * 3600);
    await tellExpiries();
    expect(receivedBy(member)).toEqual([]);
  });

  it("reach neither banned or deleted accounts nor those that want none, and no one four times a day", async () => {
    const [banned, gone, off, busy] = await Promise.all([1, 2, 3, 4].map(createAccount));
    const payFor = async (account = banned) => pay(account?.id ?? "");
    for (const one of [banned, gone, off, busy]) await payFor(one);
    const accountOf = (one = banned) => handle.db.updateTable("account").where("id", "=", one?.id ?? "");
    await accountOf(banned).set({ banned_at: new Date() }).execute();
    await handle.db
      .deleteFrom("account")
      .where("id", "=", gone?.id ?? "")
      .execute();
    await setup.messages.change(off?.id ?? "", false);
    for (let i = 0; i < 3; i++) await payFor(busy);
    await setup.work();
    expect(vendor.sent.map(({ phone }) => phone)).toEqual([busy, busy, busy].map((one) => one?.phone));
  });

  it("are tried again after a refusal, at most three times, and a failure is logged once without the phone", async () => {
    const member = await createAccount();
    vendor.refusal = provider === "aliyun" ? "isv.AMOUNT_NOT_ENOUGH" : "FailedOperation.InsufficientBalance";
    const before = vendor.asked;
    await pay(member.id);
    for (let i = 0; i < 8; i++) {
      await setup.work();
      await setup.advance(3600);
    }
    expect(vendor.asked - before).toBe(4);
    expect(log.warn).toHaveBeenCalledTimes(1);
    const [fields] = log.warn.mock.calls[0] ?? [];
    expect(fields).toMatchObject({
      message: "message-paid",
      phone: expect.stringMatching(/^1\d\d\*{4}\d{4}$/),
      tries: 4,
    });
    expect(String(fields.err)).not.toContain(member.phone);
  });

  it("are not sent again where the provider took one and did not answer", async () => {
    const member = await createAccount();
    vendor.isSilent = true;
    await pay(member.id);
    for (let i = 0; i < 3; i++) {
      await setup.work();
      await setup.advance(3600);
    }
    expect(receivedBy(member)).toHaveLength(1);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });
});

describe("an upstream with templates", () => {
  const sms = { provider: "aliyun" as const, ...settings, paidTemplate: "SMS_PAID", expiryTemplate: "SMS_EXPIRY" };
  const sent: TemplateMessage[] = [];
  let upstream: TestUpstream;
  beforeAll(async () => {
    const sendTemplate = async (message: TemplateMessage) => void sent.push(message);
    const sender = { ...createDemoSender("demo"), sendTemplate };
    upstream = await openTestUpstream("embedded", { sender }, { settings: { sms } });
  });
  afterAll(() => upstream.close());

  it("tells payers of payments, and looks for memberships that end", async () => {
    const member = await createMember(upstream);
    await upstream
      .database()
      .transaction()
      .execute(async (trx) => {
        await lockWallet(trx, member.accountId);
        const at = new Date(Date.now() - 28 * daySeconds * 1000);
        const terms = { orderId: null, tier: "vip", seconds: 30 * daySeconds, monthly: false, at } as const;
        await grantTime(trx, { accountId: member.accountId, ...terms });
      });
    upstream.services.startWorker();
    // By night the message waits in the queue.
    const expiries = upstream.database().selectFrom("job").select("key").where("kind", "=", "message-expiry");
    await expect.poll(() => expiries.execute()).toContainEqual({ key: member.accountId });
    const order = { pCode: "vip-month", sign: md5("vip-month"), platform: 1 };
    const { data } = await member.post<{ url: string }>("/pay/order/qrcode", order);
    await member.post("/sandbox/cashier", { id: data.url.split("/").at(-1), lever: "pay" });
    const paid = { phone: member.phone, template: "SMS_PAID", parameters: { amount: "39" } };
    await expect.poll(() => sent, { timeout: 10_000 }).toContainEqual(paid);
  });

  it("lets each account switch them off, and offers no switch without templates", async () => {
    const [member, other] = [await logIn(upstream.services), await logIn(upstream.services)];
    const read = async (who: typeof member) => (await who.get<{ isOn: boolean }>("/users/messages")).data;
    expect((await member.post("/users/messages", { isOn: false })).data).toEqual({ isOn: false });
    expect([await read(member), await read(other)]).toEqual([{ isOn: false }, { isOn: true }]);
    await member.post("/users/messages", { isOn: true });
    expect(await read(member)).toEqual({ isOn: true });
    const callsOf = async () => (await member.get<{ calls: string[] }>("/capabilities")).data.calls;
    expect(await callsOf()).toContain("messagesChange");
    await upstream.restart({ sms: undefined });
    const { data } = await createVisitor(upstream.services).get<{ calls: string[] }>("/capabilities");
    expect(data.calls).not.toContain("messages");
  });
});
