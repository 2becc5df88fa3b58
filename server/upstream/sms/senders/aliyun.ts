import { createHash, createHmac, randomUUID } from "node:crypto";
import type { Dispatcher } from "undici";
import { z } from "zod/v4";
import type { SmsSettings } from "../../../settings/sms";
import { ask, failed, type SmsSender, type TemplateMessage, tooMany } from "../sender";

const host = "dysmsapi.aliyuncs.com";
const answerShape = z.object({ Code: z.string() });
/** The provider's own limits per phone. */
const limits = new Set(["isv.BUSINESS_LIMIT_CONTROL", "isv.DAY_LIMIT_CONTROL", "isv.MONTH_LIMIT_CONTROL"]);

/** Aliyun SMS, SendSms of 2017-05-25, signed by the third version of its signature (ACS3-HMAC-SHA256). */
export function createAliyunSender(settings: SmsSettings, dispatcher?: Dispatcher): SmsSender {
  const sendTemplate = async ({ phone, template, parameters }: TemplateMessage) => {
    const query = canonicalQuery({
      PhoneNumbers: phone,
      SignName: settings.signName,
      TemplateCode: template,
      TemplateParam: JSON.stringify(parameters),
    });
    const headers = {
      host,
      "x-acs-action": "SendSms",
      "x-acs-version": "2017-05-25",
      "x-acs-date": new Date().toISOString().replace(/\.\d+Z$/, "Z"),
      "x-acs-signature-nonce": randomUUID(),
      "x-acs-content-sha256": sha256(""),
    };
    const authorization = signAcs3({ query, headers, key: settings });
    const signed = { ...headers, authorization };
    const answer = await ask({
      origin: `https://${host}`,
      path: `/?${query}`,
      headers: signed,
      body: "",
      dispatcher,
    });
    const result = answerShape.safeParse(answer).data?.Code ?? "";
    if (result === "OK") return;
    throw limits.has(result) ? tooMany(`aliyun: ${result}`) : failed(`aliyun: ${result.slice(0, 80)}`);
  };
  return {
    name: "aliyun",
    showsCodes: false,
    send: ({ phone, code }) => sendTemplate({ phone, template: settings.templateCode, parameters: { code } }),
    sendTemplate,
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** RFC 3986, sorted by name. */
const canonicalQuery = (query: Record<string, string>): string =>
  Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name] ?? "")}`)
    .join("&");

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

interface Acs3Request {
  query: string;
  /** The signed headers, in lower case; `x-acs-content-sha256` is the body's. */
  headers: Record<string, string>;
  key: { accessKeyId: string; accessKeySecret: string };
}

/** The Authorization header of a POST to "/". */
export function signAcs3({ query, headers, key }: Acs3Request): string {
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join("");
  const bodyHash = headers["x-acs-content-sha256"] ?? "";
  const canonical = ["POST", "/", query, lines, names.join(";"), bodyHash].join("\n");
  const signature = createHmac("sha256", key.accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest("hex");
  return `ACS3-HMAC-SHA256 Credential=${key.accessKeyId},SignedHeaders=${names.join(";")},Signature=${signature}`;
}
