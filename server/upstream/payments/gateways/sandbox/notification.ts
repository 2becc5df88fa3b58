import { z } from "zod/v4";
import { type Notification, NotificationError, type Payment } from "../../gateway";

const shape = z.object({
  event: z.literal("TRADE.PAID"),
  outTradeNo: z.string().min(1).max(64),
  transactionId: z.string().min(1).max(64),
  amountFen: z.number().int().positive(),
  currency: z.string(),
  merchantId: z.string(),
  appId: z.string(),
  paidAt: z.string().datetime(),
});

export function writeNotification(payment: Payment): string {
  return JSON.stringify({ event: "TRADE.PAID", ...payment, paidAt: payment.paidAt.toISOString() });
}

/** Reads a verified body; throws NotificationError where it is none of the gateway's. */
export function readNotification(body: string): Notification {
  try {
    const { event: _, paidAt, ...payment } = shape.parse(JSON.parse(body));
    return { kind: "payment", payment: { ...payment, paidAt: new Date(paidAt) } };
  } catch (cause) {
    throw new NotificationError("unreadable", "not a notification", { cause });
  }
}
