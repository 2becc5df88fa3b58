import { MockAgent } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SmsSettings } from "../../../settings/sms";
import { createDemoSender } from "../sender";
import { createAliyunSender, signAcs3 } from "./aliyun";
import { createTencentSender, signTc3 } from "./tencent";

const settings: Omit<SmsSettings, "provider"> = {
  accessKeyId: "id",
  accessKeySecret: "very-secret",
  signName: "声像",
  templateCode: "SMS_1",
  appId: "1400000000",
};
const message = { phone: "13812345678", code: "012345" };

describe("request signatures", () => {
  // help.aliyun.com, "V3 request structure and signature", the example with fixed values.
  it("equal Aliyun's published example", () => {
    const authorization = signAcs3({
      query: "ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai",
      headers: {
        host: "ecs.cn-shanghai.aliyuncs.com",
        "x-acs-action": "RunInstances",
        "x-acs-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "x-acs-date": "2023-10-26T10:22:32Z",
        "x-acs-signature-nonce": "3156853299f313e23d1673dc12e1703d",
        "x-acs-version": "2014-05-26",
      },
      key: { accessKeyId: "YourAccessKeyId", accessKeySecret: "YourAccessKeySecret" },
    });
    expect(authorization).toBe(
      "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;" +
        "x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0",
    );
  });

  // cloud.tencent.com, "Signature v3", the example of DescribeInstances.
  it("equal Tencent's published example", () => {
    const authorization = signTc3({
      service: "cvm",
      headers: { "content-type": "application/json; charset=utf-8", host: "cvm.tencentcloudapi.com" },
      body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
      at: 1_551_113_065,
      key: { accessKeyId: "AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE", accessKeySecret: "Gu5t9xGARNpq86cd98joQYCN3EXAMPLE" },
    });
    expect(authorization).toBe(
      "TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, " +
        "SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168",
    );
  });
});

describe("SMS providers", () => {
  let vendor: MockAgent;
  beforeEach(() => {
    vendor = new MockAgent();
    vendor.disableNetConnect();
  });
  afterEach(() => vendor.close());

  interface Seen {
    path: string;
    headers: Record<string, string>;
    body: string;
  }

  const answering = (origin: string, answer: unknown, status = 200) => {
    const seen: Seen[] = [];
    vendor
      .get(origin)
      .intercept({ method: "POST", path: () => true })
      .reply(({ path, headers, body }) => {
        seen.push({ path, headers: headers as Record<string, string>, body: String(body ?? "") });
        return { statusCode: status, data: typeof answer === "string" ? answer : JSON.stringify(answer) };
      });
    return seen;
  };
  const aliyun = "https://dysmsapi.aliyuncs.com";
  const tencent = "https://sms.tencentcloudapi.com";
  const aliyunSender = () => createAliyunSender({ provider: "aliyun", ...settings }, vendor);
  const tencentSender = () => createTencentSender({ provider: "tencent", ...settings }, vendor);

  it("receive requests in Aliyun's format", async () => {
    const [seen] = [answering(aliyun, { Code: "OK", BizId: "1" })];
    await aliyunSender().send(message);
    const { searchParams } = new URL(seen[0]?.path ?? "", aliyun);
    expect(Object.fromEntries(searchParams)).toEqual({
      PhoneNumbers: "13812345678",
      SignName: "声像",
      TemplateCode: "SMS_1",
      TemplateParam: '{"code":"012345"}',
    });
    expect(seen[0]?.headers).toMatchObject({ "x-acs-action": "SendSms", "x-acs-version": "2017-05-25" });
    expect(seen[0]?.headers.authorization).toMatch(/^ACS3-HMAC-SHA256 Credential=id,.*Signature=[\da-f]{64}$/);
  });

  it("receive requests in Tencent's format", async () => {
    const seen = answering(tencent, { Response: { SendStatusSet: [{ Code: "Ok" }], RequestId: "1" } });
    await tencentSender().send(message);
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({
      PhoneNumberSet: ["+8613812345678"],
      SmsSdkAppId: "1400000000",
      SignName: "声像",
      TemplateId: "SMS_1",
      TemplateParamSet: ["012345"],
    });
    expect(seen[0]?.headers).toMatchObject({ "x-tc-action": "SendSms", "x-tc-version": "2021-01-11" });
    expect(seen[0]?.headers.authorization).toMatch(/^TC3-HMAC-SHA256 Credential=id\/.*Signature=[\da-f]{64}$/);
  });

  it.each([
    ["aliyun", { Code: "isv.BUSINESS_LIMIT_CONTROL" }, 400, "too-many"],
    ["aliyun", { Code: "isv.SMS_SIGNATURE_ILLEGAL" }, 400, "request-failed"],
    ["aliyun", { Code: "SignatureDoesNotMatch" }, 400, "request-failed"],
    ["aliyun", {}, 200, "request-failed"],
    ["aliyun", "<html>", 502, "request-failed"],
    ["aliyun", `"${"x".repeat(70_000)}"`, 200, "request-failed"],
    ["tencent", { Response: { Error: { Code: "AuthFailure.SignatureFailure" } } }, 200, "request-failed"],
    ["tencent", { Response: { SendStatusSet: [{ Code: "LimitExceeded.PhoneNumberDailyLimit" }] } }, 200, "too-many"],
    ["tencent", { Response: { SendStatusSet: [] } }, 200, "request-failed"],
    ["tencent", "", 200, "request-failed"],
  ])("map refusals to errors: %s %.60j", async (name, answer, status, code) => {
    answering(name === "aliyun" ? aliyun : tencent, answer, status);
    const sending = (name === "aliyun" ? aliyunSender() : tencentSender()).send(message);
    const error = await sending.catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: "AppError", code });
    expect(String(error)).not.toMatch(/13812345678|012345|very-secret/);
  });
});

it("codes are never logged in production", () => {
  expect(() => createDemoSender("production")).toThrow("production");
  expect(createDemoSender("demo").showsCodes).toBe(true);
});
