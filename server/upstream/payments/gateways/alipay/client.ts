import { createPrivateKey, randomUUID } from "node:crypto";
import { z } from "zod";
import { type Answer, exchange, type Reply, readJson, shaped, unknown } from "../exchange";
import type { AlipaySettings } from "./settings";
import { createVerifier, type IsAlipays, signText } from "./signature";

export interface Call {
  method: "GET" | "POST";
  /** With its query, from the slash on. */
  target: string;
  body?: object;
  signal?: AbortSignal | undefined;
}

export interface AlipayClient {
  isAlipays: IsAlipays;
  /** Throws GatewayError for what may have happened or not. */
  call(call: Call): Promise<Reply>;
  /** A file by the address that a call gave. */
  download(url: string, signal?: AbortSignal): Promise<Buffer>;
}

const refusalShape = z.object({ code: z.string() });
const fileMaxBytes = 64 * 1024 * 1024;
/** Said with a status of 4xx, and no answer all the same. */
const notYet = /SYSTEM.?(ERROR|BUSY)|UNKNOWN?.ERROR|SERVICE.(BUSY|UNAVAILABLE)|TIMEOUT|CALL.LIMITED/i;

/** Calls of the open API's third version: each is signed, each answer is verified before it is believed. */
export function createClient({ settings, now }: { settings: AlipaySettings; now(): Date }): AlipayClient {
  const { appId, endpoint } = settings;
  const key = createPrivateKey(settings.privateKey);
  const isAlipays = createVerifier(settings.publicKeys);

  const authorize = ({ method, target, text }: { method: string; target: string; text: string }) => {
    const who = `app_id=${appId},nonce=${randomUUID()},timestamp=${now().getTime()}`;
    const signature = signText(key, `${who}\n${method}\n${target}\n${text}\n`);
    return `ALIPAY-SHA256withRSA ${who},sign=${signature}`;
  };

  const requireSigned = ({ header, body }: Answer) => {
    const text = `${header("alipay-timestamp")}\n${header("alipay-nonce")}\n${body.toString("utf8")}\n`;
    if (!isAlipays(text, header("alipay-signature"))) throw unknown("the answer is not Alipay's");
  };

  return {
    isAlipays,
    async call({ method, target, body, signal }) {
      const text = body ? JSON.stringify(body) : "";
      const headers = {
        accept: "application/json",
        "alipay-request-id": randomUUID().replaceAll("-", ""),
        authorization: authorize({ method, target, text }),
        ...(body && { "content-type": "application/json" }),
      };
      const url = new URL(`${endpoint}${target}`);
      const answer = await exchange({ method, url, headers, signal, ...(body && { body: text }) });
      if (answer.status === 200) {
        requireSigned(answer);
        return { ok: true, data: readJson(answer.body) };
      }
      // Refusals from its outer gates are not signed; those that are must be signed well.
      const isSigned = answer.header("alipay-signature") !== "";
      if (isSigned) requireSigned(answer);
      if (answer.status < 400 || answer.status >= 500 || answer.status === 408 || answer.status === 429) {
        throw unknown(`status ${answer.status}`);
      }
      const { code } = shaped(refusalShape, readJson(answer.body));
      if (notYet.test(code)) throw unknown(`the gateway says ${code.slice(0, 80)}`);
      return { ok: false, code, isSigned };
    },
    async download(address, signal) {
      const url = fileAddress(address, endpoint);
      const { status, body } = await exchange({ method: "GET", url, headers: {}, signal, maxBytes: fileMaxBytes });
      if (status !== 200) throw unknown(`the file answers with ${status}`);
      return body;
    },
  };
}

/** Alipay's own file servers, always over TLS, or the API's. */
function fileAddress(address: string, endpoint: string): URL {
  const url = new URL(address);
  if (url.origin === endpoint) return url;
  if (!/(^|\.)(alipay|alipayobjects|alipaydev)\.com$/.test(url.hostname)) throw unknown("the file lies somewhere else");
  url.protocol = "https:";
  return url;
}
