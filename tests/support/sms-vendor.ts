import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Agent, buildConnector } from "undici";
import { certify, createPair } from "./payment-servers/keys";

interface ReceivedRequest {
  host: string;
  target: string;
  headers: Record<string, string>;
  body: string;
}

export interface SmsVendor {
  /** Sent text messages, oldest first. */
  sent: Array<{ phone: string; code: string; values: string[]; from: string; template: string }>;
  /** Number of send requests, including refused ones. */
  asked: number;
  /** The answer instead of sending; undefined: it sends. */
  refusal: string | undefined;
  /** Takes the message and ends the connection without an answer. */
  isSilent: boolean;
  /** Resolves every host name to this server. */
  dispatcher: Agent;
  close(): Promise<void>;
}

export const smsKey = { accessKeyId: "LTAI-or-AKID", accessKeySecret: "a very secret key" };

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const day = 86_400_000;
const maxSkewSeconds = 900;

/** Both providers on this machine over TLS; each signature is checked as documented by its vendor. */
export async function openSmsVendor(): Promise<SmsVendor> {
  const times = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
  const { certificate, privatePem } = await certify(createPair(), { serial: "01", ...times });
  const state: Pick<SmsVendor, "sent" | "asked" | "refusal" | "isSilent"> = {
    ...{ sent: [], asked: 0, refusal: undefined, isSilent: false },
  };
  const server = createServer({ cert: certificate, key: privatePem }, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = request.headers as Record<string, string>;
    const body = Buffer.concat(parts).toString("utf8");
    const received = { host: headers.host ?? "", target: request.url ?? "", headers, body };
    state.asked++;
    const answer = vendors[received.host]?.(state, received) ?? { Code: "NoSuchHost" };
    if (state.isSilent) return void request.socket.destroy();
    response.writeHead("Code" in answer && answer.Code !== "OK" ? 400 : 200).end(JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const connect = buildConnector({ rejectUnauthorized: false });
  const dispatcher = new Agent({
    connect: (options, done) => connect({ ...options, hostname: "127.0.0.1", port: String(port) }, done),
  });
  const close = async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return Object.assign(state, { dispatcher, close });
}

type State = Pick<SmsVendor, "sent" | "refusal">;

const vendors: Record<string, (state: State, received: ReceivedRequest) => object> = {
  "dysmsapi.aliyuncs.com"(state, received) {
    if (!isAcs3(received)) return { Code: "SignatureDoesNotMatch" };
    if (state.refusal) return { Code: state.refusal };
    const { searchParams: query } = new URL(received.target, "https://x");
    const parameters: Record<string, string> = JSON.parse(query.get("TemplateParam") ?? "{}");
    const { code = "" } = parameters;
    const [from, template] = [query.get("SignName") ?? "", query.get("TemplateCode") ?? ""];
    const values = Object.values(parameters);
    state.sent.push({ phone: query.get("PhoneNumbers") ?? "", code, values, from, template });
    return { Code: "OK", Message: "OK", BizId: "1" };
  },
  "sms.tencentcloudapi.com"(state, received) {
    if (!isTc3(received)) return { Response: { Error: { Code: "AuthFailure.SignatureFailure" }, RequestId: "1" } };
    const { PhoneNumberSet, TemplateParamSet, SignName, TemplateId } = JSON.parse(received.body);
    if (state.refusal) return { Response: { SendStatusSet: [{ Code: state.refusal }], RequestId: "1" } };
    const phone = PhoneNumberSet[0].replace(/^\+86/, "");
    const values: string[] = TemplateParamSet;
    state.sent.push({ phone, code: values[0] ?? "", values, from: SignName, template: TemplateId });
    return { Response: { SendStatusSet: [{ Code: "Ok" }], RequestId: "1" } };
  },
};

const nonces = new Set<string>();

/** help.aliyun.com: V3 request structure and signature. A nonce is valid once, a date for 15 minutes. */
function isAcs3({ target, headers, body }: ReceivedRequest): boolean {
  const [, credential, names = "", signature] =
    /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=(\w+)$/.exec(headers.authorization ?? "") ??
    [];
  const nonce = headers["x-acs-signature-nonce"] ?? "";
  const age = Math.abs(Date.now() - Date.parse(headers["x-acs-date"] ?? "")) / 1000;
  if (credential !== smsKey.accessKeyId || nonces.has(nonce) || !(age < maxSkewSeconds)) return false;
  nonces.add(nonce);
  if (headers["x-acs-content-sha256"] !== sha256(body)) return false;
  const lines = names.split(";").map((name) => `${name}:${headers[name]?.trim()}\n`);
  const [path, query = ""] = target.split("?");
  const canonical = ["POST", path, query.split("&").sort().join("&"), lines.join(""), names, sha256(body)].join("\n");
  const expected = hmac(smsKey.accessKeySecret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString("hex");
  return signature === expected;
}

/** cloud.tencent.com: Signature v3. */
function isTc3({ host, headers, body }: ReceivedRequest): boolean {
  const [, credential, date = "", names = "", signature] =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([\d-]+)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const at = Number(headers["x-tc-timestamp"]);
  if (!Number.isInteger(at)) return false;
  const isToday = new Date(at * 1000).toISOString().slice(0, 10) === date;
  if (credential !== smsKey.accessKeyId || !isToday || Math.abs(Date.now() / 1000 - at) > maxSkewSeconds) return false;
  if (headers["x-tc-action"] !== "SendSms" || !headers["x-tc-region"]) return false;
  const lines = names.split(";").map((name) => `${name}:${name === "host" ? host : headers[name]}\n`);
  const canonical = ["POST", "/", "", lines.join(""), names, sha256(body)].join("\n");
  const text = ["TC3-HMAC-SHA256", at, `${date}/sms/tc3_request`, sha256(canonical)].join("\n");
  const key = hmac(hmac(hmac(`TC3${smsKey.accessKeySecret}`, date), "sms"), "tc3_request");
  return hmac(key, text).toString("hex") === signature;
}
