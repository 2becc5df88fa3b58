import type { Config } from "../../config";
import { createDemoSender, type SmsSender } from "../sms/sender";
import { createAliyunSender } from "../sms/senders/aliyun";
import { createTencentSender } from "../sms/senders/tencent";

/** The sender of the settings; undefined in production mode without a provider. */
export function createSender({ sms, mode }: Pick<Config, "sms" | "mode">): SmsSender | undefined {
  if (!sms) return mode === "demo" ? createDemoSender(mode) : undefined;
  return sms.provider === "aliyun" ? createAliyunSender(sms) : createTencentSender(sms);
}
