import "reflect-metadata";
import { createSign, generateKeyPairSync, type KeyObject, webcrypto } from "node:crypto";
import { X509CertificateGenerator } from "@peculiar/x509";

export interface Pair {
  privateKey: KeyObject;
  publicKey: KeyObject;
  privatePem: string;
  publicPem: string;
}

export function createPair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { privateKey, publicKey, privatePem, publicPem: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

export const sign = ({ privateKey }: Pair, text: string | Buffer, algorithm = "RSA-SHA256"): string =>
  createSign(algorithm).update(text).sign(privateKey, "base64");

export interface CertifiedPair extends Pair {
  /** Upper-case hex, as in WeChat Pay. */
  serial: string;
  certificate: string;
}

/** A key with its X.509 certificate. */
export async function certify(
  pair: Pair,
  { serial, from, to }: { serial: string; from: Date; to: Date },
): Promise<CertifiedPair> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const { subtle } = webcrypto;
  const [privateKey, publicKey] = await Promise.all([
    subtle.importKey("pkcs8", pair.privateKey.export({ type: "pkcs8", format: "der" }), algorithm, true, ["sign"]),
    subtle.importKey("spki", pair.publicKey.export({ type: "spki", format: "der" }), algorithm, true, ["verify"]),
  ]);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serial,
      name: "CN=Tenpay.com Sign, O=Tenpay.com, C=CN",
      notBefore: from,
      notAfter: to,
      signingAlgorithm: algorithm,
      keys: { privateKey, publicKey } as CryptoKeyPair,
    },
    webcrypto as Crypto,
  );
  return { ...pair, serial, certificate: certificate.toString("pem") };
}
