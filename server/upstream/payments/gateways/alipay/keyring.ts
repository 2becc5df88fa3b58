import { createPublicKey, type KeyObject, type X509Certificate } from "node:crypto";
import { unknown } from "../exchange";
import { isInTime, isIssuedUnder, numberOf, readCertificates } from "./certificates";
import type { AlipayCertificates, AlipaySettings } from "./settings";
import { isSignedBy } from "./signature";

/** The keys that Alipay signs with. */
export interface Keyring {
  /**
   * Whether Alipay signed exactly this; `number` is the certificate's that an answer names, "" where nothing does.
   * Throws GatewayError where that could not be found out.
   */
  isAlipays(signed: { text: string; signature: string; number: string }, signal?: AbortSignal): Promise<boolean>;
}

interface KeyringParts {
  settings: AlipaySettings;
  now(): Date;
  /** The PEM of the certificate of that number, unverified. */
  fetchCertificate(number: string, signal?: AbortSignal): Promise<string>;
}

export const createKeyring = (parts: KeyringParts): Keyring =>
  parts.settings.certificates ? ofCertificates(parts.settings.certificates, parts) : ofKeys(parts.settings.publicKeys);

/** Public-key mode: nothing names a key, so that each is tried; two are in use while they change. */
function ofKeys(pems: string[]): Keyring {
  const keys = pems.map((pem) => createPublicKey(pem));
  return { isAlipays: async ({ text, signature }) => keys.some((key) => isSignedBy(key, text, signature)) };
}

/**
 * Certificate mode: an answer names the certificate it is signed under. One that is not known yet has taken the place of
 * the one before: it is fetched, and believed when it was issued as that one was and its line leads to Alipay's root.
 * Notifications name none, so that each certificate that is in time is tried.
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
