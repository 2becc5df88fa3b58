import { z } from "zod/v4";
import { payPlatforms, taxNumberPattern, toTaxNumber } from "../checkout";
import {
  answered,
  flag,
  id,
  inField,
  number,
  numberOr,
  optional,
  orNull,
  pageQuery,
  shownName,
  text,
  unixSeconds,
} from "./tolerant";

/** Ours, demo mode only: the sandbox gateway's cashier. `id` is the last part of a sandbox payment link. */
export const cashierQuery = z.object({ id: id() });

export const cashierLevers = ["pay", "fail", "late", "duplicate", "tamper", "double"] as const;
export const cashierRequest = z.object({ id: id(), lever: z.enum(cashierLevers) });

export const cashierView = z.object({
  id: id(),
  subject: text(),
  /** Fen. */
  price: numberOr(0),
  platform: number().pipe(z.literal(payPlatforms)),
  state: z.enum(["open", "paid", "closed", "refunded"]).catch("closed"),
  /** Unix seconds. */
  expireAt: numberOr(0),
});

/** Whole fen: "39.00" would be taken for 39 fen, and is refused. */
const fen = () =>
  z.preprocess((value) => (typeof value === "string" && /\D/.test(value) ? null : value), number().pipe(z.int()));

/** `packageType`: 1 member · 2 professional · 3 add-on characters. Prices are fen, `usedChar` is in 10,000 characters. */
const productFields = z.object({
  /** Used as the id. */
  pCount: id(),
  tagMark: text(),
  price: fen(),
  discountMark: text(),
  cornerMark: text(),
  pCode: id(),
  packageType: number().pipe(z.union([z.literal(1), z.literal(2), z.literal(3)])),
  usedChar: numberOr(0),
  days: numberOr(0),
  monthChar: numberOr(0),
  packChar: numberOr(0),
  originalPrice: optional(numberOr(0)),
});
export const product = answered([["pCount"], ["pCode"], ["tagMark", "name", "title"]], productFields);
export type Product = z.output<typeof product>;

const md5 = () => z.string().regex(/^[0-9a-f]{32}$/i);
/** See `payMethods`. */
const platform = () => number().pipe(z.literal(payPlatforms));

export const orderCreateRequest = z.object({
  pCode: id(),
  /** MD5 of pCode. */
  sign: md5(),
  platform: platform(),
  /** Ours: `jsapi` pays inside WeChat, where `payPayer` has told the payer. */
  tradeType: optional(z.enum(["h5", "jsapi"])),
  payer: optional(z.string().max(128)),
});

/** Ours: the page that identifies a payer inside the method's own app, and leads back with a `code`. */
export const payAuthorizeQuery = z.object({
  platform: platform(),
  returnTo: z.url({ protocol: /^https?$/ }).max(1000),
  state: z.string().min(16).max(128),
});
/** "" where payers cannot be identified. */
export const payAuthorized = z.object({ url: text() });

/** Ours: the payer that such a code names. Its gateway takes a code once; here nothing changes. */
export const payPayerQuery = z.object({ platform: platform(), code: z.string().min(1).max(512) });
export const payPayer = z.object({ payer: z.string().min(1).max(128) });

export const orderCreated = z.preprocess(
  inField("orderId"),
  answered(
    [
      ["orderId", "orderNo", "outTradeNo", "id"],
      ["url", "codeUrl", "payUrl", "qrCode", "qrcode", "link"],
    ],
    z.object({
      /** "" if the upstream forgot it. */
      orderId: text(),
      /** A payment link, or what the QR code holds. */
      url: text(),
      /** Unix seconds. */
      expireAt: unixSeconds(),
      /** Ours: Unix seconds after which `url` can no longer be opened; absent if it lives as long as the order. */
      urlExpireAt: optional(numberOr(0)),
      price: optional(number()),
      sign: text(),
    }),
  ),
);

export const payResultRequest = z.object({ orderId: id(), /** MD5 of orderId. */ sign: md5() });

const results = ["success", "waiting", "closed", "refunded"] as const;
/**
 * Ours: what a payer must know of an order that waits. `confirming`: the payment is accepted and not confirmed yet ·
 * `suspended`: money of another amount arrived and granted nothing.
 */
export const payNotes = ["", "confirming", "suspended"] as const;
const paidAnswers: unknown[] = [true, "true", 1, "1", "paid"];
const toResult = (value: unknown) => {
  const word = typeof value === "string" ? value.toLowerCase() : value;
  return paidAnswers.includes(word) ? "success" : word;
};

const payFields = z.object({
  /** An unknown result means waiting. */
  result: z.preprocess(toResult, z.enum(results).catch("waiting")),
  note: z.enum(payNotes).catch(""),
  /** Ours, of the attempt that paid: the merchant's number and the gateway's; "" before. */
  outTradeNo: text(),
  transactionId: text(),
});
const payStatus = answered([["result", "status", "payStatus", "tradeStatus"]], payFields);
export const payResult = z.preprocess(
  (value) => (typeof value === "boolean" ? { result: value } : inField("result")(value)),
  payStatus,
);

/** Ours: closes the caller's open order. A payment that arrives all the same is granted. */
export const orderCancelRequest = z.object({ orderId: id() });
/** A bare `true` says that the order is closed, not that it is paid. */
export const orderCancelled = z.preprocess(inField("result"), payStatus);

const secret = () => z.string().min(16).max(128);
/** Ours: a link for one order that another browser opens without a login: once, within 15 minutes. */
export const handoverCreateRequest = z.object({ orderId: id() });
export const handoverCreated = z.object({ token: secret(), /** Unix seconds. */ expireAt: unixSeconds() });
/** Trades the link's token for a pass, which pays and shows that order alone. */
export const handoverOpenRequest = z.object({ token: secret() });
export const handoverOpened = z.object({ pass: secret() });
export const handoverPayRequest = z.object({
  pass: secret(),
  platform: platform(),
  tradeType: optional(z.literal("h5")),
});
export const handoverShowQuery = z.object({ pass: secret() });
export const handoverShown = z.object({
  status: payStatus,
  name: text(),
  price: numberOr(0),
  expireAt: unixSeconds(),
});

const invoiceDetails = {
  buyer: z.enum(["person", "company"]),
  title: shownName({ min: 1, max: 100 }),
  /** Of a company: 15 to 20 digits and capitals. */
  taxNumber: z.preprocess(
    (value) => (typeof value === "string" ? toTaxNumber(value) : value),
    z.string().refine((text) => text === "" || taxNumberPattern.test(text)),
  ),
  email: z.email().max(254),
};
/** Ours: asks the operator for the invoice of the caller's paid order. */
export const invoiceAskRequest = z
  .object({ orderId: id(), ...invoiceDetails })
  .refine(({ buyer, taxNumber }) => buyer === "person" || taxNumber !== "", { path: ["taxNumber"] });

/** Ours: asks the operator to refund the caller's paid order. */
export const refundAskRequest = z.object({ orderId: id() });

/** Ours: the caller's orders. */
export const orderListQuery = z.object(pageQuery);
export const order = z.object({
  orderId: id(),
  pCode: text(),
  name: text(),
  price: numberOr(0),
  platform: platform(),
  result: z.enum(results).catch("waiting"),
  createdAt: text(),
  paidAt: text(),
  /** Number of the attempt that paid, else of the last one. */
  outTradeNo: text(),
  /** The gateway's number; "" while nothing was paid. */
  transactionId: text(),
  /** Fen that refunds have returned, and that refunds on their way will return. */
  refundedFen: numberOr(0),
  refundingFen: numberOr(0),
  /** The payer asked for a refund that is not decided yet. */
  isRefundAsked: flag(),
  /** Why the last request for a refund was declined; "" without one, or once another one or a refund followed. */
  refundDeclined: text(),
  /** The invoice that the payer asked for; null without one. `number`: the issued invoice's, "" before. */
  invoice: orNull(
    z.object({
      state: z.enum(["asked", "issued", "declined"]),
      buyer: z.enum(["person", "company"]),
      ...{ title: text(), taxNumber: text(), email: text(), number: text() },
    }),
  ),
});

/** Ours: spends a redeem code of the operator for the caller's account. */
export const redeemRequest = z.object({ code: z.string().trim().min(1).max(64) });
/** What the code gave: days of a tier, or characters as a pack. */
export const redeemed = z.object({
  tier: z.enum(["", "vip", "svip"]).catch(""),
  days: numberOr(0),
  characters: numberOr(0),
});
