import { createPrivateKey } from "node:crypto";
import type { PaymentRequest } from "../../gateway";
import { toWallTime } from "../local-time";
import { formatYuan } from "../yuan";
import type { AlipaySettings } from "./settings";
import { signedText, signText } from "./signature";

/** What a trade is asked for with, on a page and by code alike. */
export const tradeOf = ({ outTradeNo, amountFen, subject, expiresAt }: PaymentRequest) => ({
  out_trade_no: outTradeNo,
  total_amount: formatYuan(amountFen),
  subject: subject.replace(/[/=&,]/g, " ").slice(0, 128),
  time_expire: toWallTime(expiresAt),
});

/** alipay.trade.wap.pay: a link for browsers on phones. Nothing is asked of Alipay until it is opened. */
export function pageOf(settings: AlipaySettings, request: PaymentRequest, now: Date): string {
  const fields = new Map([
    ["app_id", settings.appId],
    ["method", "alipay.trade.wap.pay"],
    ["format", "JSON"],
    ["charset", "utf-8"],
    ["sign_type", "RSA2"],
    ["timestamp", toWallTime(now)],
    ["version", "1.0"],
    ["notify_url", settings.notifyUrl],
    ["biz_content", JSON.stringify({ ...tradeOf(request), product_code: "QUICK_WAP_WAY" })],
  ]);
  if (settings.returnUrl) fields.set("return_url", settings.returnUrl);
  fields.set("sign", signText(createPrivateKey(settings.privateKey), signedText(fields)));
  return `${settings.endpoint}/gateway.do?${new URLSearchParams([...fields])}`;
}
