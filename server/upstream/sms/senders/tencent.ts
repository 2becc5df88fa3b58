import { createHash, createHmac } from "node:crypto";
import type { Dispatcher } from "undici";
import { z } from "zod/v4";
import type { SmsSettings } from "../../../settings/sms";
import { ask, failed, type SmsSender, type TemplateMessage, tooMany } from "../sender";

const host = "sms.tencentcloudapi.com";
const answerShape = z.object({
  Response: z.object({
    Error: z.object({ Code: z.string() }).optional(),
    SendStatusSet: z.array(z.object({ Code: z.string() })).optional(),
  }),
});

/** Tencent Cloud SMS, SendSms of 2021-01-11, signed by TC3-HMAC-SHA256. */
export function createTencentSender(settings: SmsSettings, dispatcher?: Dispatcher): SmsSender {
  const sendTemplate = async ({ phone, template, parameters }: TemplateMessage) => {
    const body = JSON.stringify({
      PhoneNumberSet: [`+86${phone}`],
      SmsSdkAppId: settings.appId,
      SignName: settings.signName,
      TemplateId: template,
      TemplateParamSet: Object.values(parameters),
    });
    const at = Math.floor(Date.now() / 1000);
    const signedHeaders = { "content-type": "application/json; charset=utf-8", host };
    const headers = {
      ...signedHeaders,
      "x-tc-action": "SendSms",
      "x-tc-version": "2021-01-11",
      "x-tc-region": "ap-guangzhou",
      "x-tc-timestamp": String(at),
      authorization: signTc3({ service: "sms", headers: signedHeaders, body, at, key: settings }),
    };
    const answer = await ask({ origin: `https://${host}`, path: "/", headers, body, dispatcher });
    const { Error: refused, SendStatusSet: sent } = answerShape.safeParse(answer).data?.Response ?? {};
    const result = refused?.Code ?? sent?.[0]?.Code ?? "";
    if (result === "Ok") return;
    throw result.startsWith("LimitExceeded")
      ? tooMany(`tencent: ${result}`)
      : failed(`tencent: ${result.slice(0, 80)}`);
  };
  return {
    name: "tencent",
    showsCodes: false,
    send: ({ phone, code }) => sendTemplate({ phone, template: settings.templateCode, parameters: { code } }),
    sendTemplate,
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

interface Tc3Request {
  service: string;
  /** The signed headers, in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Unix seconds. */
  at: number;
  key: { accessKeyId: string; accessKeySecret: string };
}

/** The Authorization header of a POST to "/". */
export function signTc3({ service, headers, body, at, key }: Tc3Request): string {
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join("");
  const canonical = ["POST", "/", "", lines, names.join(";"), sha256(body)].join("\n");
  const day = new Date(at * 1000).toISOString().slice(0, 10);
  const scope = `${day}/${service}/tc3_request`;
  const text = ["TC3-HMAC-SHA256", at, scope, sha256(canonical)].join("\n");
  const signing = hmac(hmac(hmac(`TC3${key.accessKeySecret}`, day), service), "tc3_request");
  const signature = hmac(signing, text).toString("hex");
  const credential = `Credential=${key.accessKeyId}/${scope}`;
  return `TC3-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
}
