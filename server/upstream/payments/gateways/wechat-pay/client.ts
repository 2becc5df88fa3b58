import { createHash } from "node:crypto";
import { z } from "zod/v4";
import type { WechatPaySettings } from "../../../../settings/payments";
import { type Answer, type Call, exchange, type Question, type Reply, readJson, shaped, unknown } from "../exchange";
import { createKeyring } from "./keyring";
import { createRequestSigner, isFresh, readSigned } from "./signature";

export type WechatPayClient = ReturnType<typeof createClient>;

const agent = "shengxiang (Node.js)";
const refusalShape = z.object({ code: z.string() });
const fileMaxBytes = 64 * 1024 * 1024;
/** Codes with status 4xx that leave the outcome unknown. */
const notYet = /^(SYSTEM_?ERROR|BANK_?ERROR|FREQUENCY_?LIMIT\w*|RATELIMIT\w*)$/;

/** A client of APIv3: signs every request and verifies every answer. */
export function createClient({ settings, now }: { settings: WechatPaySettings; now(): Date }) {
  const sign = createRequestSigner(settings);

  const send = ({ method, target, body, signal }: Call, more: Pick<Question, "maxBytes"> = {}) => {
    const text = body ? JSON.stringify(body) : "";
    const headers = {
      accept: "application/json",
      "user-agent": agent,
      authorization: sign({ method, target, body: text, at: now() }),
      ...(body && { "content-type": "application/json" }),
      // Requests answers signed with the public key while a merchant migrates from certificates.
      ...(settings.publicKey && { "wechatpay-serial": settings.publicKey.id }),
    };
    const url = new URL(`${settings.endpoint}${target}`);
    return exchange({ method, url, headers, signal, ...more, ...(body && { body: text }) });
  };

  const keyring = createKeyring({
    settings,
    now,
    fetchCertificates: (signal) => send({ method: "GET", target: "/v3/certificates", signal }),
  });

  const verify = async (answer: Answer, signal?: AbortSignal) => {
    const signed = readSigned(answer.header, answer.body.toString("utf8"));
    try {
      await keyring.verify(signed, signal);
    } catch (cause) {
      throw unknown("the answer is not WeChat Pay's", cause);
    }
    if (!isFresh(signed, now())) throw unknown("the answer is an old one, or our clock is wrong");
  };

  return {
    keyring,
    /** Data is null for an empty answer. Throws GatewayError where the outcome is unknown. */
    async call(call: Call): Promise<Reply> {
      const answer = await send(call);
      const { status, body } = answer;
      if (status >= 200 && status < 300) {
        await verify(answer, call.signal);
        return { ok: true, data: body.length > 0 ? readJson(body) : null };
      }
      // Refusals may be unsigned; a signature must be valid.
      const isSigned = answer.header("wechatpay-signature") !== "";
      if (isSigned) await verify(answer, call.signal);
      if (status < 400 || status >= 500 || status === 408 || status === 429) throw unknown(`status ${status}`);
      const { code } = shaped(refusalShape, readJson(body));
      if (notYet.test(code)) throw unknown(`the gateway says ${code}`);
      return { ok: false, code, isSigned };
    },
    /** Downloads a file and verifies the SHA-1 from the API's answer. */
    async download(url: string, sha1: string, signal?: AbortSignal): Promise<Buffer> {
      const { origin, pathname, search } = new URL(url);
      if (origin !== settings.endpoint) throw unknown("the file lies somewhere else");
      const call = { method: "GET" as const, target: `${pathname}${search}`, signal };
      const { status, body } = await send(call, { maxBytes: fileMaxBytes });
      const hash = createHash("sha1").update(body).digest("hex");
      if (status !== 200 || hash !== sha1.toLowerCase()) throw unknown("the file is not what was announced");
      return body;
    },
  };
}
