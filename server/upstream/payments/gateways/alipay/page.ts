import type { PaymentRequest } from "../../gateway";
import { toWallTime } from "../local-time";
import { formatYuan } from "../yuan";
import { signedFields } from "./fields";
import type { AlipaySettings } from "./settings";

/** What a trade is asked for with, on a page and by code alike. */
export const tradeOf = ({ outTradeNo, amountFen, subject, expiresAt }: PaymentRequest) => ({
  out_trade_no: outTradeNo,
  total_amount: formatYuan(amountFen),
  subject: subject.replace(/[/=&,]/g, " ").slice(0, 128),
  time_expire: toWallTime(expiresAt),
});

/** alipay.trade.wap.pay: a link for browsers on phones. Nothing is asked of Alipay until it is opened. */
export function pageOf(settings: AlipaySettings, request: PaymentRequest, now: Date): string {
  const { notifyUrl, returnUrl, endpoint } = settings;
  const method = "alipay.trade.wap.pay";
  const content = { ...tradeOf(request), product_code: "QUICK_WAP_WAY" };
  const more = { notify_url: notifyUrl, ...(returnUrl && { return_url: returnUrl }) };
  return `${endpoint}/gateway.do?${signedFields(settings, { method, content, more, now })}`;
}
