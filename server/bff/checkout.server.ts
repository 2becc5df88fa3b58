import { networkInterfaces } from "node:os";
import { encode } from "uqr";
import { cashierLevers } from "../contract/calls/payments";
import type { CallData } from "../contract/calls/table";
import type { PayMethod, PayOrder, PayStatus, QrCode } from "../contract/checkout";
import { toRefusal, UpstreamRefusal } from "./refusal.server";
import type { Upstream } from "./upstream.server";

/** What the browser may say about an order: never a price, never a sign. */
export interface OrderWish {
  pCode: string;
  platform: PayMethod;
  isPhone: boolean;
}

/** Reads a wish; throws UpstreamRefusal `bad-request`. */
export function parseWish(input: unknown): OrderWish {
  const { pCode, platform, isPhone } = (typeof input === "object" && input !== null ? input : {}) as Partial<OrderWish>;
  if (typeof pCode !== "string" || pCode === "" || (platform !== 1 && platform !== 2))
    throw new UpstreamRefusal({ code: "bad-request" });
  return { pCode, platform, isPhone: isPhone === true };
}

interface Asked {
  pageUrl: string;
  /** The page's own name for the wish. */
  idempotencyKey?: string | undefined;
}

/** Opens the order, or finds the open one. The upstream client signs with the package's code. */
export async function createOrder(upstream: Upstream, wish: OrderWish, asked: Asked): Promise<PayOrder> {
  const { pCode, platform, isPhone } = wish;
  const input = { pCode, platform, ...(isPhone && { tradeType: "h5" as const }) };
  return toPayOrder(await upstream.call("orderCreate", input, asked.idempotencyKey), asked.pageUrl);
}

/** How the order stands. The upstream client signs with the order's id. */
export const askResult = (upstream: Upstream, orderId: string): Promise<PayStatus> =>
  upstream.call("payResult", { orderId });

/** Closes an open order. Answers how it stands then: paid, where the money was there already. */
export const cancelOrder = (upstream: Upstream, orderId: string): Promise<PayStatus> =>
  upstream.call("orderCancel", { orderId });

export type OrderRow = CallData<"orders">["list"][number];

const shownRows = 20;
/** A generation has an entry when it begins and another when it ends. */
const entriesRead = 100;

/** The account's last orders; "failed" where the upstream cannot say, null where it has no such call. */
export async function readOrders(upstream: Upstream): Promise<OrderRow[] | "failed" | null> {
  try {
    return (await upstream.call("orders", { pageSize: shownRows })).list;
  } catch (error) {
    return toRefusal(error).code === "unsupported" ? null : "failed";
  }
}

/** The account's last movements of characters and money; "failed" where the upstream cannot say, null where it has no such call. */
export async function readLedger(upstream: Upstream): Promise<CallData<"ledger">["list"] | "failed" | null> {
  try {
    return (await upstream.call("ledger", { pageSize: entriesRead })).list;
  } catch (error) {
    return toRefusal(error).code === "unsupported" ? null : "failed";
  }
}

export function toPayOrder(
  { orderId, url, expireAt, urlExpireAt, price = 0 }: CallData<"orderCreate">,
  pageUrl: string,
  addressOfThisMachine = lanAddress,
): PayOrder {
  const cashierPath = cashierPathOf(url, pageUrl);
  const scanned = cashierPath ? reachable(new URL(cashierPath, pageUrl), addressOfThisMachine).href : url;
  const linkExpireAt = urlExpireAt ?? assumedLinkExpiry(url);
  return { orderId, payUrl: cashierPath ?? url, qr: drawQr(scanned), expireAt, linkExpireAt, price, cashierPath };
}

/** WeChat Pay's links for phones, whose upstream does not say when they end. */
const wechatLink = { host: "wx.tenpay.com", seconds: 300 };

function assumedLinkExpiry(url: string): number {
  const isWechat = URL.canParse(url) && new URL(url).host === wechatLink.host;
  return isWechat ? Math.floor(Date.now() / 1000) + wechatLink.seconds : 0;
}

/** The sandbox's links lead to this site; a real gateway's never do. */
function cashierPathOf(url: string, pageUrl: string): string | null {
  if (!URL.canParse(url, pageUrl)) return null;
  const { origin, pathname } = new URL(url, pageUrl);
  return origin === new URL(pageUrl).origin && /^\/cashier\/[\w-]+$/.test(pathname) ? pathname : null;
}

/** A phone that scans "localhost" would look for the site on itself. */
function reachable(url: URL, addressOfThisMachine: () => string | undefined): URL {
  if (url.hostname !== "localhost" && url.hostname !== "127.0.0.1") return url;
  const address = addressOfThisMachine();
  if (address) url.hostname = address;
  return url;
}

const lanAddress = () =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

type CashierLever = (typeof cashierLevers)[number];

/** What was pressed at the sandbox gateway's cashier; null for anything else. */
export const parseLever = (value: unknown): CashierLever | null =>
  cashierLevers.find((lever) => lever === value) ?? null;

/** Quiet modules around it: the card it stands on is white, and gives the rest of the four. */
const border = 1;

/** A QR code as one path of rows of dark squares; null for what does not fit in one. */
export function drawQr(text: string): QrCode | null {
  if (!text) return null;
  try {
    const { size, data } = encode(text, { ecc: "M", border });
    return { size, path: data.map(rowPath).join("") };
  } catch {
    return null;
  }
}

/** A run of dark squares is one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    let end = x;
    while (row[end]) end++;
    path += `M${x} ${y}h${end - x}v1h${x - end}z`;
    x = end;
  }
  return path;
}
