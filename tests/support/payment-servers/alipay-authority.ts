import "reflect-metadata";
import { createHash, type KeyObject, randomBytes, webcrypto } from "node:crypto";
import { BasicConstraintsExtension, X509CertificateGenerator } from "@peculiar/x509";
import { createPair, type Pair } from "./keys";

export interface IssuedCertificate extends Pair {
  pem: string;
  /** Alipay's certificate number, computed from the names and numbers used and not from the certificate. */
  number: string;
}

export interface Authority {
  /** Root and intermediate certificates as in Alipay's file, including one with another kind of key. */
  rootFile: string;
  rootNumber: string;
  /** The issuer of Alipay's certificates, which may follow them in a file. */
  issuer: string;
  /** A certificate of Alipay (2) or of an app (1) for a key pair. */
  issue(level: 1 | 2, pair?: Pair, days?: [from: number, to: number]): Promise<IssuedCertificate>;
}

const day = 86_400_000;
const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const organisation = ["OU=Certification Authority", "O=Ant Financial", "C=CN"];
const nameOf = (what: string) => [`CN=Ant Financial Certification Authority ${what}`, ...organisation];

const numberOf = (issuer: string[], serial: bigint) =>
  createHash("md5")
    .update(`${issuer.join(",")}${serial}`)
    .digest("hex");

const imported = (key: KeyObject, format: "pkcs8" | "spki", use: "sign" | "verify") =>
  webcrypto.subtle.importKey(format, key.export({ type: format, format: "der" }), rsa, true, [use]);

interface Wanted {
  subject: string[];
  pair: Pair;
  by: { name: string[]; pair: Pair };
  isAuthority?: boolean;
  days?: [from: number, to: number];
}

/** A certificate chain like Alipay's: root, two intermediates, and the certificates they sign. */
export async function openAuthority(): Promise<Authority> {
  let serials = BigInt(`0x20${randomBytes(14).toString("hex")}`);

  const make = async ({
    subject,
    pair,
    by,
    isAuthority = false,
    days = [-30, 365],
  }: Wanted): Promise<IssuedCertificate> => {
    const serial = ++serials;
    const certificate = await X509CertificateGenerator.create(
      {
        serialNumber: serial.toString(16),
        subject: [...subject].reverse().join(", "),
        issuer: [...by.name].reverse().join(", "),
        notBefore: new Date(Date.now() + days[0] * day),
        notAfter: new Date(Date.now() + days[1] * day),
        publicKey: await imported(pair.publicKey, "spki", "verify"),
        signingKey: await imported(by.pair.privateKey, "pkcs8", "sign"),
        signingAlgorithm: rsa,
        extensions: [new BasicConstraintsExtension(isAuthority, undefined, true)],
      },
      webcrypto as Crypto,
    );
    return { ...pair, pem: `${certificate.toString("pem")}\n`, number: numberOf(by.name, serial) };
  };

  const rootAuthority = { name: nameOf("R1"), pair: createPair() };
  const below = ([1, 2] as const).map((level) => ({ name: nameOf(`Class ${level} R1`), pair: createPair() }));
  const [root, ...issuers] = await Promise.all(
    [rootAuthority, ...below].map(({ name, pair }) =>
      make({ subject: name, pair, by: rootAuthority, isAuthority: true, days: [-3000, 3000] }),
    ),
  );
  if (!root) throw new Error("no root");
  return {
    rootFile: `${await ofAnotherKind()}${root.pem}`,
    rootNumber: root.number,
    issuer: issuers[1]?.pem ?? "",
    issue(level, pair = createPair(), days) {
      const by = below[level - 1];
      if (!by) throw new Error("no such level");
      const subject = [
        level === 1 ? "CN=2088101117955611-2014072300007148" : "CN=支付宝(中国)-2088101117955611",
        "C=CN",
      ];
      return make({ subject, pair, by, ...(days && { days }) });
    },
  };
}

/** Another kind of key: in Alipay's file it is SM2, which is ignored here. */
async function ofAnotherKind(): Promise<string> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const settings = { serialNumber: "01", name: "CN=Another, C=CN", signingAlgorithm: algorithm, keys };
  const certificate = await X509CertificateGenerator.createSelfSigned(settings as never, webcrypto as Crypto);
  return `${certificate.toString("pem")}\n`;
}
