import { createHash, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import type { AlipayCertificates, AlipaySettings } from "../../../../settings/payments";
import { unknown } from "../exchange";
import { isSignedBy } from "../signatures";

/** The keys that Alipay signs with. */
export interface Keyring {
  /**
   * Whether Alipay signed exactly this. `number`: the certificate's serial number in the answer's header, "" without one.
   * Throws GatewayError where the certificate cannot be fetched.
   */
  isAlipays(
    signed: { text: string | Buffer; signature: string; number: string },
    signal?: AbortSignal,
  ): Promise<boolean>;
}

interface KeyringParts {
  settings: AlipaySettings;
  now(): Date;
  /** The PEM of the certificate with that serial number, unverified. */
  fetchCertificate(number: string, signal?: AbortSignal): Promise<string>;
}

export const createKeyring = (parts: KeyringParts): Keyring =>
  parts.settings.certificates ? ofCertificates(parts.settings.certificates, parts) : ofKeys(parts.settings.publicKeys);

/** Public-key mode: answers name no key, so that each is tried; two are in use during a change of keys. */
function ofKeys(pems: string[]): Keyring {
  const keys = pems.map((pem) => createPublicKey(pem));
  return { isAlipays: async ({ text, signature }) => keys.some((key) => isSignedBy(key, text, signature)) };
}

/**
 * Certificate mode: an answer names its certificate. An unknown certificate replaces the former one: it is fetched, and
 * trusted if it has the same issuer and its chain leads to Alipay's root. Notifications name no certificate,
 * so that each valid one is tried.
 */
function ofCertificates(given: AlipayCertificates, { now, fetchCertificate }: Omit<KeyringParts, "settings">): Keyring {
  const [first, ...chain] = readCertificates(given.alipay);
  const anchors = [...readCertificates(given.root), ...chain];
  const known = new Map<string, X509Certificate>(first && [[numberOf(first), first]]);
  const fetching = new Map<string, Promise<void>>();

  const fetchOne = async (number: string, signal?: AbortSignal) => {
    const [certificate, ...between] = readCertificates(await fetchCertificate(number, signal));
    const isTheOne = certificate && numberOf(certificate) === number && certificate.issuer === first?.issuer;
    if (!isTheOne || !isIssuedUnder(certificate, { anchors, between, now: now() })) {
      throw unknown("another certificate came, or one that is not Alipay's");
    }
    known.set(number, certificate);
  };

  const learn = async (number: string, signal?: AbortSignal) => {
    if (number === "" || known.has(number)) return;
    if (!/^[0-9a-f]{32}$/.test(number)) throw unknown("the answer names no certificate");
    if (!fetching.has(number)) {
      const done = () => fetching.delete(number);
      fetching.set(number, fetchOne(number, signal).finally(done));
    }
    await fetching.get(number);
  };

  const keysOf = (number: string): KeyObject[] =>
    [...known]
      .filter(([name, certificate]) => (number === "" || name === number) && isInTime(certificate, now()))
      .map(([, { publicKey }]) => publicKey);

  return {
    async isAlipays({ text, signature, number }, signal) {
      await learn(number, signal);
      return keysOf(number).some((key) => isSignedBy(key, text, signature));
    },
  };
}

/** The RSA-signed certificates of a PEM text, in order; Alipay's root file contains others too. */
export const readCertificates = (pem: string): X509Certificate[] =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]+?)-----END CERTIFICATE-----/g)]
    .map(([, text = ""]) => Buffer.from(text, "base64"))
    .filter(isSignedWithRsa)
    .map((der) => new X509Certificate(der));

/** Alipay's serial number of a certificate: MD5 of its issuer (RFC 2253) and its serial in decimal digits. */
export const numberOf = ({ issuer, serialNumber }: X509Certificate): string =>
  createHash("md5")
    .update(`${issuer.split("\n").reverse().join(",")}${BigInt(`0x${serialNumber}`)}`)
    .digest("hex");

/** The serial numbers of all certificates in the root file. */
export const rootNumberOf = (pem: string): string => readCertificates(pem).map(numberOf).join("_");

const isInTime = ({ validFrom, validTo }: X509Certificate, now: Date): boolean =>
  new Date(validFrom) <= now && now < new Date(validTo);

const maxDepth = 4;

/** Whether a certificate chain leads through these intermediates to one of the anchors. */
function isIssuedUnder(
  certificate: X509Certificate,
  { anchors, between, now }: { anchors: X509Certificate[]; between: X509Certificate[]; now: Date },
  depth = 0,
): boolean {
  if (depth > maxDepth || !isInTime(certificate, now)) return false;
  const isBy = (issuer: X509Certificate) =>
    issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  if (anchors.some((anchor) => isBy(anchor) && isInTime(anchor, now))) return true;
  return between.some((next) => isBy(next) && isIssuedUnder(next, { anchors, between, now }, depth + 1));
}

/** OID 1.2.840.113549.1.1: RSA with any hash. */
const rsa = Buffer.from("2a864886f70d0101", "hex");

/** Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm SEQUENCE { OID … }, signature }. */
function isSignedWithRsa(der: Buffer): boolean {
  const outer = contentAt(der, 0);
  const algorithm = contentAt(der, contentAt(der, outer.from).to);
  const oid = contentAt(der, algorithm.from);
  return der.subarray(oid.from, oid.to).subarray(0, rsa.length).equals(rsa);
}

/** The bounds of the content of the DER element at `at`. */
function contentAt(der: Buffer, at: number): { from: number; to: number } {
  const first = der[at + 1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const from = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : Number.parseInt(der.toString("hex", at + 2, from) || "0", 16);
  return { from, to: from + length };
}
