import { z } from "zod/v4";
import { certificatePem, certificates, keyFaults, privatePem, publicPems } from "./payment-keys";
import { choice, count, optional, url } from "./setting";

/** A merchant's account at WeChat Pay, APIv3. */
export interface WechatPaySettings {
  merchantId: string;
  appId: string;
  /** Serial number of the merchant's certificate. */
  serial: string;
  /** PEM of that certificate's key. */
  privateKey: string;
  /** 32 characters; decrypts notifications and certificates. */
  apiV3Key: string;
  /** WeChat Pay's public key, for merchants who have one; platform certificates are fetched on demand. */
  publicKey: { id: string; pem: string } | null;
  /** Origin of the API. */
  endpoint: string;
  /** The address for notifications. */
  notifyUrl: string;
  /** Payment inside WeChat (JSAPI), where `appId` is an official account; null without its secret. */
  official: OfficialAccount | null;
}

/** WeChat's OAuth for an official account. */
export interface OfficialAccount {
  secret: string;
  /** Origins of the page that identifies payers, and of the API that tells who they are. */
  pageOrigin: string;
  apiOrigin: string;
}

/** A merchant's app at Alipay. */
export interface AlipaySettings {
  appId: string;
  /** The merchant's PID, 2088…: the seller in notifications. */
  sellerId: string;
  /** PEM of the app's key. */
  privateKey: string;
  /** Public-key mode: PEM of Alipay's keys for this app; several during a change of keys. */
  publicKeys: string[];
  /** Certificate mode; null in public-key mode. */
  certificates: AlipayCertificates | null;
  /** Origin of the API. */
  endpoint: string;
  /** The address for notifications. */
  notifyUrl: string;
  /** The payer's browser is sent there afterwards; null: not at all. */
  returnUrl: string | null;
  /** What desktops get: a QR code by precreate (当面付), or Alipay's own page (电脑网站支付). */
  desktop: "code" | "page";
}

/** PEM texts as downloaded from Alipay. */
export interface AlipayCertificates {
  /** appCertPublicKey: the certificate of the app's key. */
  app: string;
  /** alipayCertPublicKey: Alipay's signing certificate; its issuers may follow. */
  alipay: string;
  /** alipayRootCert. */
  root: string;
}

/** The gateways for real money. Without any, demo mode uses the sandbox and production has no payments. */
export interface PaymentSettings {
  wechatPay: WechatPaySettings | undefined;
  alipay: AlipaySettings | undefined;
  /** Characters for each side of a referral, and how many referrals a month count for one account. 0 characters: none. */
  referral?: { characters: number; monthMax: number };
}

export const paymentEnvironment = {
  PAY_NOTIFY_ORIGIN: url,
  WECHAT_PAY_MERCHANT_ID: optional,
  WECHAT_PAY_APP_ID: optional,
  WECHAT_PAY_SERIAL: optional,
  WECHAT_PAY_PRIVATE_KEY: optional,
  WECHAT_PAY_API_V3_KEY: optional,
  WECHAT_PAY_PUBLIC_KEY_ID: optional,
  WECHAT_PAY_PUBLIC_KEY: optional,
  WECHAT_PAY_ENDPOINT: url,
  WECHAT_OFFICIAL_SECRET: optional,
  WECHAT_OFFICIAL_ENDPOINT: url,
  ALIPAY_APP_ID: optional,
  ALIPAY_SELLER_ID: optional,
  ALIPAY_PRIVATE_KEY: optional,
  ALIPAY_PUBLIC_KEY: optional,
  ALIPAY_APP_CERTIFICATE: optional,
  ALIPAY_CERTIFICATE: optional,
  ALIPAY_ROOT_CERTIFICATE: optional,
  ALIPAY_ENDPOINT: url,
  ALIPAY_DESKTOP: choice(["code", "page"]),
  REFERRAL_CHARACTERS: count(0),
  REFERRAL_MONTHLY_MAX: count(10, { min: 1, max: 1000 }),
};

type Name = keyof typeof paymentEnvironment;
const _environment = z.object(paymentEnvironment);
interface Environment extends Partial<z.infer<typeof _environment>> {
  REFERRAL_CHARACTERS: number;
  REFERRAL_MONTHLY_MAX: number;
  SITE_URL?: string | undefined;
  APP_MODE: "demo" | "production";
}

const wechatNames = [
  "WECHAT_PAY_MERCHANT_ID",
  "WECHAT_PAY_APP_ID",
  "WECHAT_PAY_SERIAL",
  "WECHAT_PAY_PRIVATE_KEY",
  "WECHAT_PAY_API_V3_KEY",
] as const;
const alipayNames = ["ALIPAY_APP_ID", "ALIPAY_SELLER_ID", "ALIPAY_PRIVATE_KEY"] as const;
const keyMode = ["ALIPAY_PUBLIC_KEY"] as const;
const endpoints = ["WECHAT_PAY_ENDPOINT", "WECHAT_OFFICIAL_ENDPOINT", "ALIPAY_ENDPOINT", "PAY_NOTIFY_ORIGIN"] as const;

const isAny = (settings: Environment, names: readonly Name[]) => names.some((name) => settings[name]);

/** A gateway is set up whole or not at all. */
export function paymentFaults(settings: Environment): string[] {
  const faults: string[] = [];
  const alipayWhole = [...alipayNames, ...(isAny(settings, certificates) ? certificates : keyMode)];
  if (isAny(settings, certificates) && settings.ALIPAY_PUBLIC_KEY) {
    faults.push(
      "ALIPAY_PUBLIC_KEY and ALIPAY_CERTIFICATE are both set: an app has a key or certificates, see docs/payments.md",
    );
  }
  for (const names of [wechatNames, alipayWhole]) {
    const isUsed = isAny(settings, names) || (names === wechatNames && settings.WECHAT_OFFICIAL_SECRET);
    const missing = isUsed ? names.filter((name) => !settings[name]) : [];
    faults.push(
      ...missing.map(
        (name) => `${name} is missing: ${names.find((one) => settings[one]) ?? "WECHAT_OFFICIAL_SECRET"} needs it`,
      ),
    );
  }
  const { WECHAT_PAY_API_V3_KEY: v3Key = "", WECHAT_PAY_PUBLIC_KEY_ID: id, WECHAT_PAY_PUBLIC_KEY: key } = settings;
  if (v3Key !== "" && Buffer.byteLength(v3Key) !== 32) faults.push("WECHAT_PAY_API_V3_KEY is not 32 characters long");
  if (!id !== !key) faults.push("WECHAT_PAY_PUBLIC_KEY and WECHAT_PAY_PUBLIC_KEY_ID belong together: one is missing");
  if (id && !id.startsWith("PUB_KEY_ID_")) faults.push("WECHAT_PAY_PUBLIC_KEY_ID does not begin with PUB_KEY_ID_");
  if (settings.WECHAT_OFFICIAL_SECRET && !/^[0-9a-f]{32}$/i.test(settings.WECHAT_OFFICIAL_SECRET))
    faults.push("WECHAT_OFFICIAL_SECRET is not the AppSecret of an official account: 32 hexadecimal digits");
  if (settings.WECHAT_OFFICIAL_SECRET && !settings.SITE_URL)
    faults.push("SITE_URL is missing: WECHAT_OFFICIAL_SECRET sends payers back there");
  faults.push(...keyFaults(settings));
  if (isAny(settings, [...wechatNames, ...alipayWhole])) faults.push(...addressFaults(settings));
  return faults;
}

function addressFaults(settings: Environment): string[] {
  const faults: string[] = [];
  if (!settings.PAY_NOTIFY_ORIGIN && !settings.SITE_URL) {
    faults.push("SITE_URL or PAY_NOTIFY_ORIGIN is missing: payment gateways bring their notifications there");
  }
  for (const name of endpoints) {
    const allowed = settings.APP_MODE === "production" ? /^https:\/\// : /^https?:\/\//;
    if (settings[name] && !allowed.test(settings[name])) faults.push(`${name} is not an https URL`);
  }
  return faults;
}

/** Once there are no faults. */
export function paymentsOf(settings: Environment): PaymentSettings {
  return {
    wechatPay: settings.WECHAT_PAY_MERCHANT_ID ? wechatPayOf(settings) : undefined,
    alipay: settings.ALIPAY_APP_ID ? alipayOf(settings) : undefined,
    referral: { characters: settings.REFERRAL_CHARACTERS, monthMax: settings.REFERRAL_MONTHLY_MAX },
  };
}

const notifyUrl = ({ PAY_NOTIFY_ORIGIN, SITE_URL = "" }: Environment, gateway: string) =>
  `${new URL(PAY_NOTIFY_ORIGIN ?? SITE_URL).origin}/api/v1/pay/notify/${gateway}`;

function wechatPayOf(settings: Environment): WechatPaySettings {
  const { WECHAT_PAY_PUBLIC_KEY_ID: id, WECHAT_PAY_PUBLIC_KEY: key } = settings;
  return {
    merchantId: settings.WECHAT_PAY_MERCHANT_ID ?? "",
    appId: settings.WECHAT_PAY_APP_ID ?? "",
    serial: settings.WECHAT_PAY_SERIAL ?? "",
    privateKey: privatePem(settings.WECHAT_PAY_PRIVATE_KEY ?? ""),
    apiV3Key: settings.WECHAT_PAY_API_V3_KEY ?? "",
    publicKey: id && key ? { id, pem: publicPems(key)[0] ?? "" } : null,
    endpoint: new URL(settings.WECHAT_PAY_ENDPOINT ?? "https://api.mch.weixin.qq.com").origin,
    notifyUrl: notifyUrl(settings, "wechat"),
    official: officialOf(settings),
  };
}

function officialOf({ WECHAT_OFFICIAL_SECRET: secret, WECHAT_OFFICIAL_ENDPOINT: endpoint }: Environment) {
  if (!secret) return null;
  const originOf = (usual: string) => new URL(endpoint ?? usual).origin;
  return {
    secret,
    pageOrigin: originOf("https://open.weixin.qq.com"),
    apiOrigin: originOf("https://api.weixin.qq.com"),
  };
}

function alipayOf(settings: Environment): AlipaySettings {
  return {
    appId: settings.ALIPAY_APP_ID ?? "",
    sellerId: settings.ALIPAY_SELLER_ID ?? "",
    privateKey: privatePem(settings.ALIPAY_PRIVATE_KEY ?? ""),
    publicKeys: settings.ALIPAY_PUBLIC_KEY ? publicPems(settings.ALIPAY_PUBLIC_KEY) : [],
    certificates: settings.ALIPAY_CERTIFICATE
      ? {
          app: certificatePem(settings.ALIPAY_APP_CERTIFICATE ?? ""),
          alipay: certificatePem(settings.ALIPAY_CERTIFICATE),
          root: certificatePem(settings.ALIPAY_ROOT_CERTIFICATE ?? ""),
        }
      : null,
    endpoint: new URL(settings.ALIPAY_ENDPOINT ?? "https://openapi.alipay.com").origin,
    notifyUrl: notifyUrl(settings, "alipay"),
    returnUrl: settings.SITE_URL ? new URL("/user/subscribe", settings.SITE_URL).href : null,
    desktop: settings.ALIPAY_DESKTOP ?? "code",
  };
}
