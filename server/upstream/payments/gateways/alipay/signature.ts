import { createSign, type KeyObject, verify } from "node:crypto";
import { strictBase64 } from "../exchange";

export const signText = (privateKey: KeyObject, text: string): string =>
  createSign("RSA-SHA256").update(text, "utf8").sign(privateKey, "base64");

/** Whether this key made the signature over exactly this text, with SHA-256 and nothing weaker. */
export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  const bytes = strictBase64(signature);
  return bytes !== null && verify("RSA-SHA256", Buffer.from(text, "utf8"), key, bytes);
}

/** `a=1&b=2`, sorted by name, as the second version of the protocol signs it; values are not encoded. */
export const signedText = (fields: ReadonlyMap<string, string>): string =>
  [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
