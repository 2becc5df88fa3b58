import { createHash, X509Certificate } from "node:crypto";

/** The certificates of a PEM text that are signed with RSA, in its order; Alipay's root file has others beside them. */
export const readCertificates = (pem: string): X509Certificate[] =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]+?)-----END CERTIFICATE-----/g)]
    .map(([, text = ""]) => Buffer.from(text, "base64"))
    .filter(isSignedWithRsa)
    .map((der) => new X509Certificate(der));

/** The number that Alipay knows a certificate by: MD5 of its issuer (RFC 2253) and its serial in decimal digits. */
export const numberOf = ({ issuer, serialNumber }: X509Certificate): string =>
  createHash("md5")
    .update(`${issuer.split("\n").reverse().join(",")}${BigInt(`0x${serialNumber}`)}`)
    .digest("hex");

/** Of the root file: the numbers of all in it. */
export const rootNumberOf = (pem: string): string => readCertificates(pem).map(numberOf).join("_");

export const isInTime = ({ validFrom, validTo }: X509Certificate, now: Date): boolean =>
  new Date(validFrom) <= now && now < new Date(validTo);

const maxDepth = 4;

/** Whether a line of signatures leads from it to one of the anchors, by way of these in between. */
export function isIssuedUnder(
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

/** 1.2.840.113549.1.1: RSA with whatever hash. */
const rsa = Buffer.from("2a864886f70d0101", "hex");

/** Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm SEQUENCE { OID … }, signature }. */
function isSignedWithRsa(der: Buffer): boolean {
  const outer = contentAt(der, 0);
  const algorithm = contentAt(der, contentAt(der, outer.from).to);
  const oid = contentAt(der, algorithm.from);
  return der.subarray(oid.from, oid.to).subarray(0, rsa.length).equals(rsa);
}

/** Where the content of the DER element at a place lies. */
function contentAt(der: Buffer, at: number): { from: number; to: number } {
  const first = der[at + 1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const from = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : Number.parseInt(der.toString("hex", at + 2, from) || "0", 16);
  return { from, to: from + length };
}
