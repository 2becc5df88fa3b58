import { createPrivateKey, randomUUID } from "node:crypto";
import { z } from "zod/v4";
import type { AlipaySettings } from "../../../../settings/payments";
import { toWallTime } from "../../../calendar";
import { type Answer, type Call, exchange, type Reply, readJson, shaped, unknown } from "../exchange";
import { signedText, signText } from "../signatures";
import { createKeyring, numberOf, readCertificates, rootNumberOf } from "./keyring";

export type AlipayClient = ReturnType<typeof createClient>;

const refusalShape = z.object({ code: z.string() });
const fileMaxBytes = 64 * 1024 * 1024;
/** Codes with status 4xx that leave the outcome unknown. */
const notYet = /SYSTEM.?(ERROR|BUSY)|UNKNOWN?.ERROR|SERVICE.(BUSY|UNAVAILABLE)|TIMEOUT|CALL.LIMITED/i;

/** A client of the open API, version 3: signs every request and verifies every answer. */
export function createClient({ settings, now }: { settings: AlipaySettings; now(): Date }) {
  const { appId, endpoint } = settings;
  const key = createPrivateKey(settings.privateKey);
  const numbers = numbersOf(settings);
  const keyring = createKeyring({
    settings,
    now,
    fetchCertificate: (number, signal) => downloadCertificate(settings, { number, now: now(), signal }),
  });

  const authorize = ({ method, target, text }: { method: string; target: string; text: string }) => {
    const certificate = numbers ? `app_cert_sn=${numbers.app},` : "";
    const who = `app_id=${appId},${certificate}nonce=${randomUUID()},timestamp=${now().getTime()}`;
    const signature = signText(key, `${who}\n${method}\n${target}\n${text}\n`);
    return `ALIPAY-SHA256withRSA ${who},sign=${signature}`;
  };

  const requireSigned = async ({ header, body }: Answer, signal?: AbortSignal) => {
    const text = `${header("alipay-timestamp")}\n${header("alipay-nonce")}\n${body.toString("utf8")}\n`;
    const signed = { text, signature: header("alipay-signature"), number: numbers ? header("alipay-sn") : "" };
    const isGenuine = await keyring.isAlipays(signed, signal).catch((cause: unknown) => {
      throw unknown("the certificate that Alipay's answer names cannot be used", cause);
    });
    if (!isGenuine) throw unknown("the answer is not Alipay's");
  };

  return {
    keyring,
    /** Throws GatewayError where the outcome is unknown. */
    async call({ method, target, body, signal }: Call): Promise<Reply> {
      const text = body ? JSON.stringify(body) : "";
      const headers = {
        accept: "application/json",
        "alipay-request-id": randomUUID().replaceAll("-", ""),
        authorization: authorize({ method, target, text }),
        ...(numbers && { "alipay-root-cert-sn": numbers.root }),
        ...(body && { "content-type": "application/json" }),
      };
      const url = new URL(`${endpoint}${target}`);
      const answer = await exchange({ method, url, headers, signal, ...(body && { body: text }) });
      if (answer.status === 200) {
        await requireSigned(answer, signal);
        return { ok: true, data: readJson(answer.body) };
      }
      // Refusals may be unsigned; a signature must be valid.
      const isSigned = answer.header("alipay-signature") !== "";
      if (isSigned) await requireSigned(answer, signal);
      if (answer.status < 400 || answer.status >= 500 || answer.status === 408 || answer.status === 429) {
        throw unknown(`status ${answer.status}`);
      }
      const { code } = shaped(refusalShape, readJson(answer.body));
      if (notYet.test(code)) throw unknown(`the gateway says ${code.slice(0, 80)}`);
      return { ok: false, code, isSigned };
    },
    /** Downloads a file from an address in an answer. */
    async download(address: string, signal?: AbortSignal): Promise<Buffer> {
      const url = fileAddress(address, endpoint);
      const { status, body } = await exchange({ method: "GET", url, headers: {}, signal, maxBytes: fileMaxBytes });
      if (status !== 200) throw unknown(`the file answers with ${status}`);
      return body;
    },
  };
}

/** Alipay's file servers, over TLS only, or the API's origin. */
function fileAddress(address: string, endpoint: string): URL {
  const url = new URL(address);
  if (url.origin === endpoint) return url;
  if (!/(^|\.)(alipay|alipayobjects|alipaydev)\.com$/.test(url.hostname)) throw unknown("the file lies somewhere else");
  url.protocol = "https:";
  return url;
}

/** Headers of certificate mode: the serial numbers of the app's certificate and of the trusted root. */
function numbersOf({ certificates }: AlipaySettings): { app: string; root: string } | null {
  const [own] = certificates ? readCertificates(certificates.app) : [];
  return certificates && own ? { app: numberOf(own), root: rootNumberOf(certificates.root) } : null;
}

/** A signed call of version 2, for a form or a link. */
export function signedFields(
  settings: AlipaySettings,
  { method, content, more = {}, now }: { method: string; content: object; more?: Record<string, string>; now: Date },
): URLSearchParams {
  const numbers = numbersOf(settings);
  const fields = new Map(
    Object.entries({
      app_id: settings.appId,
      method,
      format: "JSON",
      charset: "utf-8",
      sign_type: "RSA2",
      timestamp: toWallTime(now),
      version: "1.0",
      ...(numbers && { app_cert_sn: numbers.app, alipay_root_cert_sn: numbers.root }),
      ...more,
      biz_content: JSON.stringify(content),
    }),
  );
  fields.set("sign", signText(createPrivateKey(settings.privateKey), signedText(fields)));
  return new URLSearchParams([...fields]);
}

const method = "alipay.open.app.alipaycert.download";
const answerShape = z.object({
  alipay_open_app_alipaycert_download_response: z.object({ alipay_cert_content: z.string().min(1) }),
});

/**
 * Alipay's certificate by its serial number, as PEM, unverified: the answer is signed with the requested certificate, so the
 * caller must check its issuers. Only version 2 of the protocol has this call.
 */
async function downloadCertificate(
  settings: AlipaySettings,
  { number, now, signal }: { number: string; now: Date; signal?: AbortSignal | undefined },
): Promise<string> {
  const form = signedFields(settings, { method, content: { alipay_cert_sn: number }, now });
  const { status, body } = await exchange({
    method: "POST",
    url: new URL(`${settings.endpoint}/gateway.do?charset=utf-8`),
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded;charset=utf-8" },
    body: form.toString(),
    signal,
  });
  if (status !== 200) throw unknown(`no certificate: status ${status}`);
  const answer = shaped(answerShape, readJson(body)).alipay_open_app_alipaycert_download_response;
  return Buffer.from(answer.alipay_cert_content, "base64").toString("utf8");
}
