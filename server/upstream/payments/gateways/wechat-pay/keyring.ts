import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { z } from "zod/v4";
import type { WechatPaySettings } from "../../../../settings/payments";
import { GatewayError } from "../../gateway";
import { type Answer, readJson, shaped, unknown } from "../exchange";
import { isSignedBy } from "../signatures";
import { isFresh, openSealed, readSigned, type Signed, sealedShape, signedText } from "./signature";

/** WeChat Pay's signing keys, by the serial in its headers. */
export type Keyring = ReturnType<typeof createKeyring>;

interface KeyringParts {
  settings: WechatPaySettings;
  now(): Date;
  /** GET /v3/certificates, unverified. */
  fetchCertificates(signal?: AbortSignal): Promise<Answer>;
}

const certificatesShape = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: sealedShape })),
});
/** Between two fetches: where the last one returned certificates, and where the account has none. */
const refreshEveryMs = { some: 60_000, none: 24 * 3_600_000 };
/** After a failed fetch, until a notification may cause the next; doubles with each failure. */
const retryMs = { first: 1000, last: 60_000 };

interface Certificate {
  key: KeyObject;
  from: Date;
  to: Date;
}

/**
 * Starts with the merchant's public key, if there is one. An unknown serial is a new platform certificate: the certificates
 * are fetched again, so that WeChat Pay may change its keys at any time.
 */
export function createKeyring({ settings, now, fetchCertificates }: KeyringParts) {
  const { publicKey } = settings;
  const given = publicKey && { id: publicKey.id, key: createPublicKey(publicKey.pem) };
  let certificates = new Map<string, Certificate>();
  let refreshAt = Number.NEGATIVE_INFINITY;
  let retryAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
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
    if (!key || !isSignedBy(key, signedText(signed), signed.signature) || !isFresh(signed, now()))
      throw unknown("the certificates are forged");
    certificates = fetched;
    return true;
  };

  const refreshAndCount = async (signal?: AbortSignal) => {
    const later = (ms: number) => now().getTime() + ms;
    // Before the call, so that failures count too.
    retryAt = later(Math.min(retryMs.last, retryMs.first * 2 ** failures));
    failures++;
    const hasSome = await refresh(signal);
    failures = 0;
    refreshAt = later(hasSome || !given ? refreshEveryMs.some : refreshEveryMs.none);
    return hasSome;
  };

  const keyOf = async (serial: string, { isOurCall, signal }: { isOurCall: boolean; signal?: AbortSignal }) => {
    const known = find(serial);
    if (known || serial.startsWith("PUB_KEY_ID_") || !/^[0-9A-F]{8,64}$/i.test(serial)) return known;
    const mayAskAt = isOurCall ? refreshAt : Math.max(refreshAt, retryAt);
    if (!refreshing && now().getTime() < mayAskAt) return undefined;
    refreshing ??= refreshAndCount(signal).finally(() => {
      refreshing = undefined;
    });
    if (!(await refreshing)) throw new GatewayError("refused", "this account has no certificates");
    return find(serial);
  };

  const verify = (signed: Signed, key: KeyObject | undefined) => {
    if (!key) throw new Error(`signed by an unknown key ${JSON.stringify(signed.serial.slice(0, 80))}`);
    if (!isSignedBy(key, signedText(signed), signed.signature)) throw new Error("the signature does not match");
  };

  return {
    /** Fetches the platform certificates and opens them; false if the account has none. Throws GatewayError. */
    refresh,
    /** Verifies an API answer. Throws Error for an invalid signature, GatewayError when the keys cannot be fetched. */
    async verify(signed: Signed, signal?: AbortSignal) {
      verify(signed, await keyOf(signed.serial, { isOurCall: true, ...(signal && { signal }) }));
    },
    /** The same for notifications, which anyone can send: limits the key requests they cause. */
    async verifyNotification(signed: Signed) {
      verify(signed, await keyOf(signed.serial, { isOurCall: false }));
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
