/** Port for providers of text messages to phones in mainland China. */
export interface SmsSender {
  readonly name: "demo" | "aliyun" | "tencent";
  /** The code is shown on the page instead of being sent. */
  readonly showsCodes: boolean;
  /**
   * Resolves once the provider has taken the message. Throws AppError: `too-many` for a provider's
   * limit per phone, `request-failed` (502) for everything else. Error messages contain neither phone nor code.
   */
  send(message: { phone: string; code: string }): Promise<void>;
}

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
}

/** Sends nothing: the page shows the code. Throws in production mode. */
export function createDemoSender(mode: "demo" | "production"): SmsSender {
  if (mode === "production") throw new Error("login codes are not shown in production mode");
  return { name: "demo", showsCodes: true, async send() {} };
}
