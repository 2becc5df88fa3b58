import { createPrivateKey, X509Certificate } from "node:crypto";
import { certificatePem, privatePem, publicHalf, publicPems } from "./pem";

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
