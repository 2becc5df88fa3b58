import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

/** PEM itself (line ends may be written \n), the bare base64 that Alipay's tools give, or the path of a file with either. */
function textOf(value: string): string {
  if (value.startsWith("-----")) return value.replaceAll("\\n", "\n");
  if (/^MI[A-Za-z0-9+/=\s]{100,}$/.test(value)) return value;
  const text = readFileSync(value, "utf8").trim();
  if (!/^(-----|MI)/.test(text)) throw new Error("no key");
  return text;
}

/** The one private key, PKCS8. Throws for anything else. */
export function privatePem(value: string): string {
  const text = textOf(value);
  const der = { key: Buffer.from(text, "base64"), format: "der" as const };
  const key = text.startsWith("-----") ? createPrivateKey(text) : privateOf(der);
  if (key.asymmetricKeyType !== "rsa") throw new Error("not RSA");
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function privateOf(der: { key: Buffer; format: "der" }) {
  try {
    return createPrivateKey({ ...der, type: "pkcs8" });
  } catch {
    return createPrivateKey({ ...der, type: "pkcs1" });
  }
}

/** The public half of a private key. */
export const publicHalf = (value: string): string =>
  createPublicKey(privatePem(value)).export({ type: "spki", format: "pem" }).toString();

/** The public keys, or those of certificates, one after the other; bare base64 is one key. Throws for anything else. */
export function publicPems(value: string): string[] {
  const text = textOf(value);
  const pems = text.match(/-----BEGIN (PUBLIC KEY|CERTIFICATE)-----[\s\S]+?-----END \1-----/g);
  if (text.startsWith("-----") && !pems) throw new Error("no public key");
  const bare = () => [createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" })];
  return (pems?.map((pem) => createPublicKey(pem)) ?? bare()).map((key) => {
    if (key.asymmetricKeyType !== "rsa") throw new Error("not RSA");
    return key.export({ type: "spki", format: "pem" }).toString();
  });
}

/** Certificates as they stand in a file, the first of them readable. Throws for anything else. */
export function certificatePem(value: string): string {
  const text = textOf(value);
  if (!/^-----BEGIN CERTIFICATE-----/m.test(text)) throw new Error("no certificate");
  new X509Certificate(text);
  return text.trim();
}
