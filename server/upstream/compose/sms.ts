import type { Config } from "../../config";
import { createAccountKeys } from "../accounts/credentials";
import type { Billing } from "../billing/billing";
import { takeExpiries } from "../billing/expiries";
import { Messages } from "../messages/messages";
import { createDemoSender, type SmsSender } from "../sms/sender";
import { createAliyunSender } from "../sms/senders/aliyun";
import { createTencentSender } from "../sms/senders/tencent";

/** The sender of the settings; undefined in production mode without a provider. */
export function createSender({ sms, mode }: Pick<Config, "sms" | "mode">): SmsSender | undefined {
  if (!sms) return mode === "demo" ? createDemoSender(mode) : undefined;
  return sms.provider === "aliyun" ? createAliyunSender(sms) : createTencentSender(sms);
}

type MessageParts = ConstructorParameters<typeof Messages>[0];

/** Text messages to payers, by the templates of the settings. */
export function createMessages(
  given: Pick<MessageParts, "db" | "queue" | "once" | "hitRate" | "sender" | "log">,
  billing: Pick<Billing, "membership">,
  { sms, dataKey }: Pick<Config, "sms" | "dataKey">,
): Messages {
  const now = () => new Date();
  return new Messages({
    ...{ ...given, now },
    templates: { paid: sms?.paidTemplate, expiry: sms?.expiryTemplate },
    openPhone: createAccountKeys(dataKey).openPhone,
    async endOf(accountId) {
      const { vipExpire, svipExpire } = await billing.membership(accountId);
      return Math.max(vipExpire, svipExpire);
    },
    takeExpiries: (tell) => takeExpiries(given.db, now(), tell),
  });
}
