import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod/v4";
import { type Notification, NotificationError, type NotificationMessage, type Payment } from "../../gateway";

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

/** Parses a verified body. Throws NotificationError for any other form than the gateway's. */
export function readNotification(body: string): Notification {
  try {
    const { event: _, paidAt, ...payment } = shape.parse(JSON.parse(body));
    return { kind: "payment", payment: { ...payment, paidAt: new Date(paidAt) } };
  } catch (cause) {
    throw new NotificationError("unreadable", "not a notification", { cause });
  }
}

const maxAgeMs = 5 * 60_000;

const headerNames = {
  at: "x-sandbox-timestamp",
  nonce: "x-sandbox-nonce",
  signature: "x-sandbox-signature",
};

const signatureOf = (secret: string, { at, nonce, body }: Record<"at" | "nonce" | "body", string>) =>
  createHmac("sha256", secret).update(`${at}\n${nonce}\n${body}\n`).digest();

/** A notification with its signature. */
export function sign(secret: string, body: string, now: Date): NotificationMessage {
  const at = String(Math.floor(now.getTime() / 1000));
  const nonce = randomBytes(16).toString("hex");
  const headers = new Headers({
    "content-type": "application/json",
    [headerNames.at]: at,
    [headerNames.nonce]: nonce,
    [headerNames.signature]: signatureOf(secret, { at, nonce, body }).toString("base64"),
  });
  return { headers, body };
}

/** Throws NotificationError unless the gateway signed exactly this recently. */
export function verify(secret: string, { headers, body }: NotificationMessage, now: Date): void {
  const at = headers.get(headerNames.at) ?? "";
  const nonce = headers.get(headerNames.nonce) ?? "";
  const given = Buffer.from(headers.get(headerNames.signature) ?? "", "base64");
  const expected = signatureOf(secret, { at, nonce, body });
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new NotificationError("forged", "signature does not match");
  }
  if (!/^\d{1,12}$/.test(at) || Math.abs(now.getTime() - Number(at) * 1000) > maxAgeMs) {
    throw new NotificationError("stale", "signed too long ago");
  }
}
