import { createPrivateKey } from "node:crypto";
import { toWallTime } from "../local-time";
import { numberOf, readCertificates, rootNumberOf } from "./certificates";
import type { AlipaySettings } from "./settings";
import { signedText, signText } from "./signature";

/** What a call names in certificate mode: which certificate its signature is to be checked by, and which root we trust. */
export function numbersOf({ certificates }: AlipaySettings): { app: string; root: string } | null {
  const [own] = certificates ? readCertificates(certificates.app) : [];
  return certificates && own ? { app: numberOf(own), root: rootNumberOf(certificates.root) } : null;
}

/** A signed call of the second version, to be sent as a form or opened as a link. */
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
