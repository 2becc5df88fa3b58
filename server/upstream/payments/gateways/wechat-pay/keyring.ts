import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { z } from "zod/v4";
import { GatewayError } from "../../gateway";
import { type Answer, readJson, shaped, unknown } from "../exchange";
import { openSealed, sealedShape } from "./resource";
import type { WechatPaySettings } from "./settings";
import { isFresh, isSignedBy, readSigned, type Signed } from "./signature";

/** The keys that WeChat Pay signs with, by the serial that its headers name. */
export interface Keyring {
  /** Throws Error for what none of them signed; GatewayError where that could not be found out. */
  verify(signed: Signed, signal?: AbortSignal): Promise<void>;
  /** Fetches the platform certificates and opens them; false where the account has none. Throws GatewayError. */
  refresh(signal?: AbortSignal): Promise<boolean>;
}

interface KeyringParts {
  settings: WechatPaySettings;
  now(): Date;
  /** GET /v3/certificates, unverified. */
  fetchCertificates(signal?: AbortSignal): Promise<Answer>;
}

const certificatesShape = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: sealedShape })),
});
/** Whoever sends unknown serials does not make us ask more often than this; an attempt that failed is no answer. */
const refreshEveryMs = 60_000;

interface Certificate {
  key: KeyObject;
  from: Date;
  to: Date;
}

/**
 * Starts with the public key where the merchant has one. A serial that is not known yet is a new platform certificate:
 * they are fetched again, so that WeChat Pay may change its keys whenever it likes.
 */
export function createKeyring({ settings, now, fetchCertificates }: KeyringParts): Keyring {
  const { publicKey } = settings;
  const given = publicKey && { id: publicKey.id, key: createPublicKey(publicKey.pem) };
  let certificates = new Map<string, Certificate>();
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<boolean> | undefined;

  const find = (serial: string, among = certificates): KeyObject | undefined => {
    if (given && serial === given.id) return given.key;
    const certificate = among.get(serial);
    return certificate && certificate.from <= now() && now() < certificate.to ? certificate.key : undefined;
  };

  const refresh = async (signal?: AbortSignal) => {
    const answer = await fetchCertificates(signal);
    if (answer.status === 404) return false;
    if (answer.status !== 200) throw new GatewayError("refused", `no certificates: status ${answer.status}`);
    const { data } = shaped(certificatesShape, readJson(answer.body));
    const fetched = new Map(data.map((one) => [one.serial_no, openCertificate(settings, one)] as const));
    const signed = readSigned(answer.header, answer.body.toString("utf8"));
    const key = find(signed.serial, fetched) ?? find(signed.serial);
    if (!key || !isSignedBy(key, signed) || !isFresh(signed, now())) throw unknown("the certificates are forged");
    certificates = fetched;
    refreshedAt = now().getTime();
    return true;
  };

  const keyOf = async (serial: string, signal?: AbortSignal) => {
    const known = find(serial);
    if (known || serial.startsWith("PUB_KEY_ID_") || !/^[0-9A-F]{8,64}$/i.test(serial)) return known;
    if (!refreshing && now().getTime() - refreshedAt < refreshEveryMs) return undefined;
    refreshing ??= refresh(signal).finally(() => {
      refreshing = undefined;
    });
    if (!(await refreshing)) throw new GatewayError("refused", "this account has no certificates");
    return find(serial);
  };

  return {
    refresh,
    async verify(signed, signal) {
      const key = await keyOf(signed.serial, signal);
      if (!key) throw new Error(`signed by an unknown key ${JSON.stringify(signed.serial.slice(0, 80))}`);
      if (!isSignedBy(key, signed)) throw new Error("the signature does not match");
    },
  };
}

function openCertificate(
  { apiV3Key }: WechatPaySettings,
  { serial_no, encrypt_certificate }: z.infer<typeof certificatesShape>["data"][number],
): Certificate {
  try {
    const certificate = new X509Certificate(openSealed(apiV3Key, encrypt_certificate));
    if (BigInt(`0x${certificate.serialNumber}`) !== BigInt(`0x${serial_no}`)) throw new Error("another serial");
    const { publicKey: key, validFrom, validTo } = certificate;
    return { key, from: new Date(validFrom), to: new Date(validTo) };
  } catch (cause) {
    throw unknown("a platform certificate cannot be opened", cause);
  }
}
