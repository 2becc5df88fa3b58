import { createAccountKeys } from "../accounts/credentials";
import type { Billing } from "../billing/billing";
import { takeExpiries } from "../billing/expiries";
import { Messages } from "../messages/messages";
import type { UpstreamConfig } from "./parts";

type MessageParts = ConstructorParameters<typeof Messages>[0];

/** Text messages to payers, by the templates of the settings. */
export function createMessages(
  given: Pick<MessageParts, "db" | "queue" | "once" | "hitRate" | "sender" | "log">,
  billing: Pick<Billing, "membership">,
  { sms, dataKey }: Pick<UpstreamConfig, "sms" | "dataKey">,
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
