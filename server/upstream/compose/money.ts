import type { Logger } from "pino";
import type { Config } from "../../config";
import { createBilling } from "../billing/billing";
import type { BillingParts } from "../billing/parts";
import { withBreaker } from "../payments/breaker";
import type { Gateway } from "../payments/gateway";
import { createAlipay } from "../payments/gateways/alipay/alipay";
import { createSandbox } from "../payments/gateways/sandbox/sandbox";
import { createWechatPay } from "../payments/gateways/wechat-pay/wechat-pay";

interface MoneySettings {
  config: Pick<Config, "mode" | "siteUrl"> & Partial<Pick<Config, "payments">>;
  log: Logger;
}

/** The configured gateways for real payments. */
export const createGateways = (payments?: Config["payments"]): { wechatPay?: Gateway; alipay?: Gateway } => ({
  ...(payments?.wechatPay && { wechatPay: withBreaker(createWechatPay(payments.wechatPay)) }),
  ...(payments?.alipay && { alipay: withBreaker(createAlipay(payments.alipay)) }),
});

/**
 * Billing with its gateways, for the server and for operators. In demo mode the sandbox replaces gateways that are not
 * configured; in production their payment methods are unavailable.
 */
export async function createMoney(
  parts: Pick<BillingParts, "db" | "queue" | "once">,
  { config: { mode, siteUrl, payments }, log }: MoneySettings,
) {
  const cashierUrl = (id: string) => `${siteUrl ?? ""}/cashier/${id}`;
  const sandbox = mode === "demo" ? await createSandbox({ ...parts, mode, cashierUrl }) : undefined;
  const { wechatPay = sandbox?.gateway, alipay = sandbox?.gateway } = createGateways(payments);
  const gateways: BillingParts["gateways"] = { ...(wechatPay && { 1: wechatPay }), ...(alipay && { 2: alipay }) };
  const billing = createBilling({
    ...parts,
    gateways,
    now: () => new Date(),
    alert: (mistake) => log.error({ mistake }, "a payment needs an operator"),
  });
  const sandboxHandlers = sandbox?.createHandlers((message) => billing.notified("sandbox", message));
  return { billing, gateways, cashier: sandbox?.cashier, handlers: { ...billing.handlers, ...sandboxHandlers } };
}
