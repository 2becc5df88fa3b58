import { z } from "zod/v4";
import type { WechatPaySettings } from "../../../../settings/payments";
import { parseLocalTime } from "../../../calendar";
import {
  type Notification,
  NotificationError,
  type NotificationMessage,
  type Payment,
  type RefundStatus,
  type TradeStatus,
} from "../../gateway";
import { unknown } from "../exchange";
import type { Keyring } from "./keyring";
import { isFresh, openSealed, readSigned, sealedShape } from "./signature";

/** A trade in queries and notifications. */
export const tradeShape = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  trade_state: z.string(),
  transaction_id: z.string().nullish(),
  success_time: z.string().nullish(),
  amount: z.object({ total: z.number().int().nullish(), currency: z.string().nullish() }).nullish(),
});
type WechatTrade = z.infer<typeof tradeShape>;

/** Throws for a paid trade without the fields of a payment. */
function toPayment({ appid, mchid, out_trade_no, transaction_id, success_time, amount }: WechatTrade): Payment {
  const paidAt = parseLocalTime(success_time ?? "");
  const amountFen = amount?.total ?? 0;
  if (!transaction_id || !paidAt || amountFen < 1) throw new Error("a paid trade without its payment");
  return {
    outTradeNo: out_trade_no,
    transactionId: transaction_id,
    amountFen,
    currency: amount?.currency ?? "CNY",
    merchantId: mchid,
    appId: appid,
    paidAt,
  };
}

const states: Record<string, "unpaid" | "confirming" | "closed" | "refunded"> = {
  NOTPAY: "unpaid",
  USERPAYING: "unpaid",
  ACCEPT: "confirming",
  PAYERROR: "unpaid",
  CLOSED: "closed",
  REVOKED: "closed",
  REFUND: "refunded",
};

/** Throws GatewayError for an unknown state. */
export function toStatus(trade: WechatTrade): TradeStatus {
  if (trade.trade_state === "SUCCESS") {
    try {
      return { state: "paid", payment: toPayment(trade) };
    } catch (cause) {
      throw unknown("a paid trade cannot be read", cause);
    }
  }
  const state = states[trade.trade_state];
  if (!state) throw unknown(`a trade in the state ${JSON.stringify(trade.trade_state)}`);
  return { state };
}

export const refundShape = z.object({ status: z.enum(["SUCCESS", "CLOSED", "PROCESSING", "ABNORMAL"]) });

export const refundStates: Record<z.infer<typeof refundShape>["status"], RefundStatus> = {
  SUCCESS: "done",
  PROCESSING: "processing",
  CLOSED: "failed",
  ABNORMAL: "failed",
};

const shape = z.object({ event_type: z.string(), resource: sealedShape });
const refundNoticeShape = z.object({ out_trade_no: z.string() });

/** Verifies, then parses. Throws NotificationError. */
export async function readNotification(
  { settings, keyring, now }: { settings: WechatPaySettings; keyring: Keyring; now(): Date },
  { headers, body }: NotificationMessage,
): Promise<Notification> {
  const signed = readSigned((name) => headers.get(name) ?? "", body);
  await keyring.verifyNotification(signed).catch((cause: unknown) => {
    throw new NotificationError("forged", "not signed by WeChat Pay", { cause });
  });
  if (!isFresh(signed, now())) throw new NotificationError("stale", "signed too long ago");
  try {
    return read(settings, shape.parse(JSON.parse(body)));
  } catch (cause) {
    throw new NotificationError("unreadable", "not a notification", { cause });
  }
}

function read({ apiV3Key }: WechatPaySettings, { event_type, resource }: z.infer<typeof shape>): Notification {
  if (event_type === "TRANSACTION.SUCCESS") {
    const trade = tradeShape.parse(JSON.parse(openSealed(apiV3Key, resource)));
    return trade.trade_state === "SUCCESS" ? { kind: "payment", payment: toPayment(trade) } : { kind: "other" };
  }
  if (!event_type.startsWith("REFUND.")) return { kind: "other" };
  const { out_trade_no } = refundNoticeShape.parse(JSON.parse(openSealed(apiV3Key, resource)));
  return { kind: "refund", outTradeNo: out_trade_no };
}
