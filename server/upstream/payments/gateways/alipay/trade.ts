import { z } from "zod/v4";
import type { AlipaySettings } from "../../../../settings/payments";
import { parseLocalTime } from "../../../calendar";
import {
  type Notification,
  NotificationError,
  type NotificationMessage,
  type Payment,
  parseYuan,
  type TradeStatus,
} from "../../gateway";
import { unknown } from "../exchange";
import { signedText } from "../signatures";
import type { Keyring } from "./keyring";

/** A trade in the answer to a query. */
export const tradeShape = z.object({
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: z.string(),
  total_amount: z.union([z.string(), z.number()]).transform(String),
  trans_currency: z.string().nullish(),
  send_pay_date: z.string().nullish(),
});

/** Merchant and app are ours: Alipay finds only this app's trades. Throws GatewayError for a malformed answer. */
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

/** Verifies, then parses. Accepts only RSA2, and each field once. Throws NotificationError. */
export async function readNotification(keyring: Keyring, { body }: NotificationMessage): Promise<Notification> {
  const fields = readFields(body);
  const signature = fields.get("sign") ?? "";
  // This field is not signed: a forger could select SHA-1 with it.
  if (fields.get("sign_type") !== "RSA2") throw new NotificationError("forged", "not signed with RSA2");
  const signed = new Map([...fields].filter(([name]) => name !== "sign" && name !== "sign_type"));
  const text = Buffer.from(signedText(signed), "latin1");
  const isGenuine = signed.size > 0 && (await keyring.isAlipays({ text, signature, number: "" }));
  if (!isGenuine) {
    throw new NotificationError("forged", "not signed by Alipay");
  }
  return read(decoded(fields));
}

/**
 * One character per byte, because the signature covers the bytes of the sender's charset. Refuses duplicate fields: one
 * value would be verified and the other used.
 */
function readFields(body: string): Map<string, string> {
  const pairs = body
    .split("&")
    .filter(Boolean)
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [toBytes(name), toBytes(value.join("="))] as const;
    });
  const fields = new Map(pairs);
  if (fields.size !== pairs.length) throw new NotificationError("forged", "a name comes twice");
  return fields;
}

const toBytes = (encoded: string): string =>
  Buffer.from(encoded, "utf8")
    .toString("latin1")
    .replaceAll("+", " ")
    .replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** Apps of earlier years still have GBK. */
function decoded(fields: Map<string, string>): Map<string, string> {
  const isGbk = /^gb(k|2312|18030)$/i.test(fields.get("charset") ?? "");
  const decoder = new TextDecoder(isGbk ? "gb18030" : "utf-8");
  return new Map([...fields].map(([name, value]) => [name, decoder.decode(Buffer.from(value, "latin1"))]));
}

function read(fields: Map<string, string>): Notification {
  const status = fields.get("trade_status");
  const outTradeNo = fields.get("out_trade_no") ?? "";
  if (outTradeNo === "") throw new NotificationError("unreadable", "not a notification of a trade");
  if (isRefund(fields)) return { kind: "refund", outTradeNo };
  if (status !== "TRADE_SUCCESS" && status !== "TRADE_FINISHED") return { kind: "other" };
  return { kind: "payment", payment: toPayment(fields, outTradeNo) };
}

/** A refund's notification carries the trade's new state. Payments may have `refund_fee=0.00` too. */
function isRefund(fields: Map<string, string>): boolean {
  if ((fields.get("gmt_refund") ?? "") !== "") return true;
  const refundFen = parseYuan(fields.get("refund_fee") || "0");
  if (refundFen === null) throw new NotificationError("unreadable", "a refunded amount cannot be read");
  return refundFen !== 0;
}

function toPayment(fields: Map<string, string>, outTradeNo: string): Payment {
  const amountFen = parseYuan(fields.get("total_amount") ?? "");
  const paidAt = parseLocalTime(fields.get("gmt_payment") ?? fields.get("notify_time") ?? "");
  const transactionId = fields.get("trade_no") ?? "";
  if (amountFen === null || amountFen < 1 || !paidAt || transactionId === "") {
    throw new NotificationError("unreadable", "a payment cannot be read");
  }
  return {
    outTradeNo,
    transactionId,
    amountFen,
    currency: fields.get("trans_currency") || "CNY",
    merchantId: fields.get("seller_id") ?? "",
    appId: fields.get("app_id") ?? "",
    paidAt,
  };
}
