/** Payments as the site's own pages see them. */
export interface PayOrder {
  /** "" if the upstream forgot it. */
  orderId: string;
  /** Payment address for browsers; "" without one. */
  payUrl: string;
  /** Opens the payment page instead of `payUrl`; null without one. */
  form: PayForm | null;
  /** Signed parameters of WeChat's getBrandWCPayRequest, for a payment inside WeChat. */
  bridge?: Record<string, string>;
  /** The QR code; null if there is nothing to scan. */
  qr: QrCode | null;
  /** Unix seconds; 0 when unknown. */
  expireAt: number;
  /** Unix seconds after which the link can no longer be opened; 0 if it lives as long as the order. */
  linkExpireAt: number;
  /** Fen. */
  price: number;
  /** The sandbox gateway's own page, below this site; null with a real gateway. */
  cashierPath: string | null;
}

/** A gateway's form, sent by POST. */
export interface PayForm {
  action: string;
  fields: Array<{ name: string; value: string }>;
}

/** Gateways whose forms the site submits, with their test systems. */
export const formGatewayDomains = ["alipay.com", "alipaydev.com"] as const;

/** Drawn on a grid of `size` by `size` units: the outline of its dark squares. */
export interface QrCode {
  size: number;
  path: string;
}

/**
 * Pay methods by their number on the wire, in the order of desktops, where the first is chosen; phones show the reverse. A new
 * one is a row here, its gateway in `compose/gateways.ts`, and its names in the copy.
 */
export const payMethods = [
  { platform: 1, name: "wechat" },
  { platform: 2, name: "alipay" },
] as const;
export type PayMethod = (typeof payMethods)[number]["platform"];
/** The method that also pays inside its own app. */
export const wechatMethod = payMethods.find(({ name }) => name === "wechat")?.platform ?? 1;
export const payPlatforms: PayMethod[] = payMethods.map(({ platform }) => platform);
export const isPayMethod = (value: unknown): value is PayMethod => payPlatforms.some((one) => one === value);
export const payMethodsShown = (isPhone: boolean): PayMethod[] =>
  isPhone ? [...payPlatforms].reverse() : payPlatforms;
/** Specification section 9. */
export const usualPayMethod = (isPhone: boolean) => payMethodsShown(isPhone)[0] as PayMethod;

/**
 * Payment inside WeChat. `off`: the merchant has no official account · `ask`: the payer is not identified yet · `ready` ·
 * `failed`: WeChat identified no payer.
 */
export type WechatState = "off" | "ask" | "ready" | "failed";

export type PayResult = "success" | "waiting" | "closed" | "refunded";

/** State of an order. */
export interface PayStatus {
  result: PayResult;
  /** Known reason why it waits: see `payNotes`. */
  note: "" | "confirming" | "suspended";
  /** The payment's merchant number, then the gateway's; "" before a payment, and where the upstream names none. */
  outTradeNo: string;
  transactionId: string;
}

/** A company's tax number as it is compared and kept: without spaces, in capitals. */
export const toTaxNumber = (text: string): string => text.replace(/\s/g, "").toUpperCase();
export const taxNumberPattern = /^[0-9A-Z]{15,20}$/;
