import type { Logger } from "pino";
import { payPlatforms } from "~server/contract/checkout";
import type { Config } from "../../config";
import { createBilling } from "../billing/billing";
import type { BillingParts } from "../billing/parts";
import { enqueuePaid } from "../messages/messages";
import { createSandbox } from "../payments/gateways/sandbox/sandbox";
import { createGateways } from "./gateways";

interface MoneySettings {
  config: Pick<Config, "mode" | "siteUrl"> & Partial<Pick<Config, "payments" | "sms">>;
  log: Logger;
}

/**
 * Billing with its gateways, for the server and for operators. In demo mode the sandbox replaces gateways that are not
 * configured; in production their payment methods are unavailable.
 */
export async function createMoney(
  parts: Pick<BillingParts, "db" | "queue" | "once">,
  { config: { mode, siteUrl, payments, sms }, log }: MoneySettings,
) {
  const cashierUrl = (id: string) => `${siteUrl ?? ""}/cashier/${id}`;
  const sandbox = mode === "demo" ? await createSandbox({ ...parts, mode, cashierUrl }) : undefined;
  const gateways = createGateways(payments);
  if (sandbox) for (const platform of payPlatforms) gateways[platform] ??= sandbox.gateway;
  const billing = createBilling({
    ...parts,
    gateways,
    referral: payments?.referral ?? { characters: 0, monthMax: 0 },
    onPaid: async (trx, orderId) => {
      if (sms?.paidTemplate) await enqueuePaid(parts.queue, trx, orderId);
    },
    now: () => new Date(),
    alert: (anomaly) => log.error({ anomaly }, "a payment needs an operator"),
  });
  const sandboxHandlers = sandbox?.createHandlers((message) => billing.receiveNotification("sandbox", message));
  return { billing, gateways, cashier: sandbox?.cashier, handlers: { ...billing.handlers, ...sandboxHandlers } };
}
