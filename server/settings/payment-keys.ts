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
const publicHalf = (value: string): string =>
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

export const certificates = ["ALIPAY_APP_CERTIFICATE", "ALIPAY_CERTIFICATE", "ALIPAY_ROOT_CERTIFICATE"] as const;
const privateKeys = ["WECHAT_PAY_PRIVATE_KEY", "ALIPAY_PRIVATE_KEY"] as const;
const publicKeys = ["WECHAT_PAY_PUBLIC_KEY", "ALIPAY_PUBLIC_KEY"] as const;
const pairs = [
  ["WECHAT_PAY_PRIVATE_KEY", "WECHAT_PAY_PUBLIC_KEY"],
  ["ALIPAY_PRIVATE_KEY", "ALIPAY_PUBLIC_KEY"],
] as const;

type Name = (typeof certificates | typeof privateKeys | typeof publicKeys)[number];
type Keys = { [name in Name]?: string | undefined };

/** Faults of malformed or mismatched keys and certificates. The messages never contain their values. */
export function keyFaults(settings: Keys): string[] {
  const check = (name: Name, read: (text: string) => unknown, what: string) => {
    const value = settings[name];
    if (!value) return [];
    try {
      read(value);
      return [];
    } catch {
      return [`${name} is neither ${what} nor a file with one`];
    }
  };
  return [
    ...privateKeys.flatMap((name) => check(name, privatePem, "an RSA private key in PEM")),
    ...publicKeys.flatMap((name) => check(name, publicPems, "an RSA public key in PEM")),
    ...certificates.flatMap((name) => check(name, certificatePem, "certificates in PEM")),
    ...strangeCertificate(settings),
    ...pairs.flatMap(([own, theirs]) => mixedUp(settings, own, theirs)),
  ];
}

/** The public half of one's own key proves nothing about the gateway: the commonest mistake of all. */
function mixedUp(settings: Keys, own: Name, theirs: Name): string[] {
  try {
    const half = publicHalf(settings[own] ?? "");
    return publicPems(settings[theirs] ?? "").some((pem) => pem === half)
      ? [`${theirs} is the public half of ${own}: the gateway's own key belongs there`]
      : [];
  } catch {
    return [];
  }
}

function strangeCertificate({ ALIPAY_APP_CERTIFICATE: own = "", ALIPAY_PRIVATE_KEY: key = "" }: Keys): string[] {
  try {
    const isPair = new X509Certificate(certificatePem(own)).checkPrivateKey(createPrivateKey(privatePem(key)));
    return isPair ? [] : ["ALIPAY_APP_CERTIFICATE does not belong to ALIPAY_PRIVATE_KEY"];
  } catch {
    return [];
  }
}
