import type { Config } from "../../config";
import { createDemoSender, type SmsSender } from "./sender";
import { createAliyunSender } from "./senders/aliyun";
import { createTencentSender } from "./senders/tencent";

/** The sender of the settings; undefined in production mode without a provider. */
export function createSender({ sms, mode }: Pick<Config, "sms" | "mode">): SmsSender | undefined {
  if (!sms) return mode === "demo" ? createDemoSender(mode) : undefined;
  return sms.provider === "aliyun" ? createAliyunSender(sms) : createTencentSender(sms);
}
