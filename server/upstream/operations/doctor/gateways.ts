import { X509Certificate } from "node:crypto";
import { type Gateway, GatewayError } from "../../payments/gateway";
import { type Finding, fail, ok, warn } from "./finding";

/** Likely causes of a gateway's refusal or invalid answer; the first match counts. */
const reasons: Array<[pattern: RegExp, todo: string]> = [
  [
    /SIGN_ERROR|no certificates: status 40[13]/,
    "WECHAT_PAY_SERIAL names the certificate that WECHAT_PAY_PRIVATE_KEY belongs to: one is another's",
  ],
  [
    /official account's secret/,
    "is WECHAT_OFFICIAL_SECRET the AppSecret of WECHAT_PAY_APP_ID, and WECHAT_PAY_APP_ID an official account?",
  ],
  [/MCH_?(ID_)?NOT_?EXISTS?/, "is WECHAT_PAY_MERCHANT_ID this merchant's?"],
  [/certificate cannot be opened/, "WECHAT_PAY_API_V3_KEY is not this account's"],
  [/has no certificates/, "set WECHAT_PAY_PUBLIC_KEY and WECHAT_PAY_PUBLIC_KEY_ID: this account has no certificates"],
  [/not WeChat Pay's|are forged/, "is WECHAT_PAY_PUBLIC_KEY this account's, under its own id?"],
  [/an old one/, "set this machine's clock by NTP"],
  [
    /cert-|names cannot be used/,
    "are ALIPAY_APP_CERTIFICATE, ALIPAY_CERTIFICATE and ALIPAY_ROOT_CERTIFICATE this app's?",
  ],
  [/invalid-signature/, "upload the public half of ALIPAY_PRIVATE_KEY to the app ALIPAY_APP_ID names"],
  [/app-?id/i, "is ALIPAY_APP_ID right, and the app online?"],
  [/not Alipay's/, "ALIPAY_PUBLIC_KEY is Alipay's key for the app, not the app's own"],
  [/permission/i, "sign the product for the app at open.alipay.com"],
];

/** Checks the settings of each gateway by a read-only call. */
export async function examineGateways(
  gateways: Gateway[],
  { mode }: { mode: "demo" | "production" },
  signal: AbortSignal,
): Promise<Finding[]> {
  if (gateways.length > 0) return Promise.all(gateways.map((gateway) => examineGateway(gateway, signal)));
  return [
    mode === "demo"
      ? ok("gateways", "demo: the sandbox takes all payments")
      : warn("gateways", "no gateway is set up", "set WECHAT_PAY_… or ALIPAY_…, see docs/payments.md"),
  ];
}

async function examineGateway({ name, examine }: Gateway, signal: AbortSignal): Promise<Finding> {
  try {
    const parts = Object.entries((await examine?.(signal)) ?? {});
    const namesOf = (state: boolean) => parts.filter(([, isProven]) => isProven === state).map(([part]) => part);
    const message = `${namesOf(true).join(", ")} are right`;
    const unproven = namesOf(false);
    return ok(
      name,
      unproven.length === 0 ? message : `${message}; ${unproven.join(", ")} cannot be tried without a payment`,
    );
  } catch (error) {
    return toFault(name, error);
  }
}

function toFault(name: string, error: unknown): Finding {
  if (!(error instanceof GatewayError)) throw error;
  const { message, cause, fault } = error;
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  const known = reasons.find(([pattern]) => pattern.test(reason))?.[1];
  const network = "is the endpoint right, and does a firewall or proxy stand between?";
  return fail(name, reason, known ?? (fault === "refused" ? "see the table in docs/payments.md" : network));
}

const dayMs = 86_400_000;
const warnDays = 30;
const todo = "replace it in time: see docs/payments.md";

/** The expiry of a gateway's certificates, by the names of their settings; the first counts in a file with several. */
export function examineCertificates(about: string, pems: Record<string, string>, now: Date): Finding[] {
  const found = Object.entries(pems).map(([name, pem]) => ({
    name,
    endsAt: new Date(new X509Certificate(pem).validTo),
  }));
  const daysLeft = (endsAt: Date) => Math.floor((endsAt.getTime() - now.getTime()) / dayMs);
  const tell = (endsAt: Date) => endsAt.toISOString().slice(0, 10);
  const ending = found.filter(({ endsAt }) => daysLeft(endsAt) < warnDays);
  if (ending.length === 0) {
    const message = found.map(({ name, endsAt }) => `${name} until ${tell(endsAt)}`).join(", ");
    return found.length === 0 ? [] : [ok(about, message)];
  }
  return ending.map(({ name, endsAt }) =>
    endsAt <= now
      ? fail(about, `${name} ended on ${tell(endsAt)}`, todo)
      : warn(about, `${name} ends on ${tell(endsAt)}, in ${daysLeft(endsAt)} days`, todo),
  );
}
