import { z } from "zod/v4";
import { type Notification, NotificationError, type NotificationMessage } from "../../gateway";
import type { Keyring } from "./keyring";
import { openSealed, sealedShape } from "./resource";
import type { WechatPaySettings } from "./settings";
import { isFresh, readSigned } from "./signature";
import { toPayment, tradeShape } from "./trade";

const shape = z.object({ event_type: z.string(), resource: sealedShape });
const refundShape = z.object({ out_trade_no: z.string() });

interface Reader {
  settings: WechatPaySettings;
  keyring: Keyring;
  now(): Date;
}

/** Verifies, then reads. Throws NotificationError. */
export async function readNotification(
  { settings, keyring, now }: Reader,
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
  const { out_trade_no } = refundShape.parse(JSON.parse(openSealed(apiV3Key, resource)));
  return { kind: "refund", outTradeNo: out_trade_no };
}
