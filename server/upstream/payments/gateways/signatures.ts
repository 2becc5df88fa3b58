import { createSign, type KeyObject, verify } from "node:crypto";

/** RSA signature with SHA-256, in base64. */
export const signText = (privateKey: KeyObject, text: string): string =>
  createSign("RSA-SHA256").update(text, "utf8").sign(privateKey, "base64");

/** Whether this key signed exactly these bytes, or this text in UTF-8. Rejects base64 that is not canonical. */
export function isSignedBy(key: KeyObject, signed: string | Buffer, signature: string): boolean {
  const bytes = Buffer.from(signature, "base64");
  const isCanonical = signature !== "" && bytes.toString("base64") === signature;
  const text = typeof signed === "string" ? Buffer.from(signed, "utf8") : signed;
  return isCanonical && verify("RSA-SHA256", text, key, bytes);
}

/** `a=1&b=2`, sorted by name, as version 2 of the protocol signs it; values are not encoded. */
export const signedText = (fields: ReadonlyMap<string, string>): string =>
  [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
