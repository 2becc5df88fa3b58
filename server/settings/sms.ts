import { choice, optional } from "./setting";

/** An account at a provider, with its approved signature and template. */
export interface SmsSettings {
  provider: "aliyun" | "tencent";
  accessKeyId: string;
  accessKeySecret: string;
  /** The sender's registered signature. */
  signName: string;
  /** A template with the code as its one parameter. */
  templateCode: string;
  /** Tencent's SdkAppId; "" elsewhere. */
  appId: string;
  /** Templates of messages about payments and memberships, which are not sent without. */
  paidTemplate?: string | undefined;
  expiryTemplate?: string | undefined;
}

export const smsEnvironment = {
  SMS_PROVIDER: choice(["aliyun", "tencent"]),
  SMS_ACCESS_KEY_ID: optional,
  SMS_ACCESS_KEY_SECRET: optional,
  SMS_SIGN_NAME: optional,
  SMS_TEMPLATE_CODE: optional,
  SMS_APP_ID: optional,
  SMS_TEMPLATE_PAID: optional,
  SMS_TEMPLATE_EXPIRY: optional,
};

interface Environment
  extends Partial<Record<Exclude<keyof typeof smsEnvironment, "SMS_PROVIDER">, string | undefined>> {
  SMS_PROVIDER?: "aliyun" | "tencent" | undefined;
}

const names = ["SMS_ACCESS_KEY_ID", "SMS_ACCESS_KEY_SECRET", "SMS_SIGN_NAME", "SMS_TEMPLATE_CODE"] as const;

export function smsFaults(settings: Environment): string[] {
  const { SMS_PROVIDER } = settings;
  if (!SMS_PROVIDER) return [];
  const needed = SMS_PROVIDER === "tencent" ? ([...names, "SMS_APP_ID"] as const) : names;
  const missing = needed.filter((name) => !settings[name]);
  return missing.map((name) => `${name} is missing: SMS_PROVIDER=${SMS_PROVIDER} needs it`);
}

/** Once there are no faults. */
export function smsOf(settings: Environment): SmsSettings | undefined {
  if (!settings.SMS_PROVIDER) return undefined;
  return {
    provider: settings.SMS_PROVIDER,
    accessKeyId: settings.SMS_ACCESS_KEY_ID ?? "",
    accessKeySecret: settings.SMS_ACCESS_KEY_SECRET ?? "",
    signName: settings.SMS_SIGN_NAME ?? "",
    templateCode: settings.SMS_TEMPLATE_CODE ?? "",
    appId: settings.SMS_APP_ID ?? "",
    paidTemplate: settings.SMS_TEMPLATE_PAID,
    expiryTemplate: settings.SMS_TEMPLATE_EXPIRY,
  };
}
