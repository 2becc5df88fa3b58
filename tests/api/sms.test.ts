import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SmsSettings } from "~server/settings/sms";
import { createAliyunSender } from "~server/upstream/sms/senders/aliyun";
import { createTencentSender } from "~server/upstream/sms/senders/tencent";
import { nextPhone, requestCode, tryLogin } from "../support/account";
import { openSmsVendor, type SmsVendor, smsKey } from "../support/sms-vendor";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const providers = [
  {
    provider: "aliyun",
    create: createAliyunSender,
    limited: "isv.BUSINESS_LIMIT_CONTROL",
    other: "isv.AMOUNT_NOT_ENOUGH",
  },
  {
    provider: "tencent",
    create: createTencentSender,
    limited: "LimitExceeded.PhoneNumberDailyLimit",
    other: "FailedOperation.InsufficientBalanceInSmsPackage",
  },
] as const;

describe.each(providers)("codes by $provider", ({ provider, create, limited, other }) => {
  let vendor: SmsVendor;
  let upstream: TestUpstream;
  const settings: SmsSettings = { provider, ...smsKey, signName: "声像", templateCode: "SMS_1", appId: "1400000000" };

  beforeAll(async () => {
    vendor = await openSmsVendor();
    upstream = await openTestUpstream("embedded", { sender: create(settings, vendor.dispatcher) });
  });
  afterAll(async () => {
    await upstream.close();
    await vendor.close();
  });
  beforeEach(() => {
    vendor.refusal = undefined;
  });
  const visitor = () => createVisitor(upstream.services);

  it("reach the phone, log in to the account and are not shown elsewhere", async () => {
    const phone = nextPhone();
    const { data } = await requestCode(visitor(), phone);
    expect(data).toEqual({ ttl: 300, resend: 60 });
    const last = vendor.sent.at(-1);
    expect(last).toMatchObject({ phone, code: expect.stringMatching(/^\d{6}$/), from: "声像", template: "SMS_1" });
    expect((await tryLogin(visitor(), phone, last?.code ?? "")).code).toBe(0);
  });

  it("are limited per minute before the provider is called", async () => {
    const phone = nextPhone();
    await requestCode(visitor(), phone);
    const before = vendor.sent.length;
    expect(await requestCode(visitor(), phone)).toMatchObject({ status: 429, msg: "too-many" });
    expect(vendor.sent).toHaveLength(before);
  });

  it("return an error when the provider limits a phone", async () => {
    vendor.refusal = limited;
    expect(await requestCode(visitor(), nextPhone())).toMatchObject({ status: 429, code: 7, msg: "too-many" });
  });

  it("return an error when the provider refuses, and can be requested again at once", async () => {
    const phone = nextPhone();
    vendor.refusal = other;
    expect(await requestCode(visitor(), phone)).toMatchObject({ status: 502, code: 7, msg: "request-failed" });
    vendor.refusal = undefined;
    expect((await requestCode(visitor(), phone)).code).toBe(0);
    expect(vendor.sent.at(-1)?.phone).toBe(phone);
  });

  it("are sent once for one idempotency key, for every answer of the provider", async () => {
    for (const refusal of [limited, other, undefined]) {
      const phone = nextPhone();
      vendor.refusal = refusal;
      const first = await requestCode(visitor(), phone, "one-key");
      const asked = vendor.asked;
      vendor.refusal = undefined;
      expect(await requestCode(visitor(), phone, "one-key")).toMatchObject({ status: first.status, msg: first.msg });
      expect(vendor.asked).toBe(asked);
      if (refusal) expect((await requestCode(visitor(), phone, "another-key")).code).toBe(0);
      // A late repetition of the first call still counts as the first call.
      const sent = vendor.asked;
      await requestCode(visitor(), phone, "one-key");
      expect(vendor.asked).toBe(sent);
    }
  });

  it("are refused under another key", async () => {
    const stranger = create({ ...settings, accessKeySecret: "another key" }, vendor.dispatcher);
    const before = vendor.sent.length;
    const sending = stranger.send({ phone: nextPhone(), code: "123456" });
    await expect(sending).rejects.toMatchObject({ code: "request-failed", status: 502 });
    expect(vendor.sent).toHaveLength(before);
  });
});
