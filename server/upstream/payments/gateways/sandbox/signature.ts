import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { NotificationError, type NotificationMessage } from "../../gateway";

const maxAgeMs = 5 * 60_000;

const headerNames = {
  at: "x-sandbox-timestamp",
  nonce: "x-sandbox-nonce",
  signature: "x-sandbox-signature",
};

const signatureOf = (secret: string, { at, nonce, body }: Record<"at" | "nonce" | "body", string>) =>
  createHmac("sha256", secret).update(`${at}\n${nonce}\n${body}\n`).digest();

/** Signs a notification as it leaves the gateway. */
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

/** Throws NotificationError unless the gateway signed exactly this, a moment ago. */
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
