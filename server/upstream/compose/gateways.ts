import type { Config } from "../../config";
import type { BillingParts } from "../billing/parts";
import { withBreaker } from "../payments/breaker";
import { createAlipay } from "../payments/gateways/alipay/alipay";
import { createWechatPay } from "../payments/gateways/wechat-pay/wechat-pay";

/** The configured gateways for real payments, by payment method. */
export const createGateways = (payments?: Config["payments"]): BillingParts["gateways"] => ({
  ...(payments?.wechatPay && { 1: withBreaker(createWechatPay(payments.wechatPay)) }),
  ...(payments?.alipay && { 2: withBreaker(createAlipay(payments.alipay)) }),
});
