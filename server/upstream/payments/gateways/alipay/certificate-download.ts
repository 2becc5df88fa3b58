import { z } from "zod/v4";
import { exchange, readJson, shaped, unknown } from "../exchange";
import { signedFields } from "./fields";
import type { AlipaySettings } from "./settings";

const method = "alipay.open.app.alipaycert.download";
const answerShape = z.object({
  alipay_open_app_alipaycert_download_response: z.object({ alipay_cert_content: z.string().min(1) }),
});

/**
 * A certificate of Alipay's by its number, as PEM. Its answer is signed under the very certificate that is asked for: not
 * the signature but the certificate's own line of issuers tells whether to believe it. The call has no path in the third
 * version of the protocol.
 */
export async function downloadCertificate(
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
