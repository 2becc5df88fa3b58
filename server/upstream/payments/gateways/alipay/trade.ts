import { z } from "zod/v4";
import type { TradeStatus } from "../../gateway";
import { unknown } from "../exchange";
import { parseLocalTime } from "../local-time";
import { parseYuan } from "../yuan";
import type { AlipaySettings } from "./settings";

/** A trade as queries tell it. */
export const tradeShape = z.object({
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: z.string(),
  total_amount: z.union([z.string(), z.number()]).transform(String),
  trans_currency: z.string().nullish(),
  send_pay_date: z.string().nullish(),
});

/** Alipay finds this app's own trades only, so that merchant and app are ours. Throws GatewayError for what cannot be read. */
export function toStatus(
  trade: z.infer<typeof tradeShape>,
  { sellerId, appId }: Pick<AlipaySettings, "sellerId" | "appId">,
): TradeStatus {
  const { trade_status, send_pay_date } = trade;
  if (trade_status === "WAIT_BUYER_PAY") return { state: "unpaid" };
  if (trade_status === "TRADE_CLOSED") return { state: send_pay_date ? "refunded" : "closed" };
  if (trade_status !== "TRADE_SUCCESS" && trade_status !== "TRADE_FINISHED") {
    throw unknown(`a trade in the state ${JSON.stringify(trade_status)}`);
  }
  const amountFen = parseYuan(trade.total_amount);
  const paidAt = parseLocalTime(send_pay_date ?? "");
  if (amountFen === null || amountFen < 1 || !paidAt) throw unknown("a paid trade cannot be read");
  const payment = {
    outTradeNo: trade.out_trade_no,
    transactionId: trade.trade_no,
    amountFen,
    currency: trade.trans_currency || "CNY",
    merchantId: sellerId,
    appId,
    paidAt,
  };
  return { state: "paid", payment };
}
