import { networkInterfaces } from "node:os";
import { encode } from "uqr";
import { cashierLevers } from "../contract/calls/payments";
import type { CallData } from "../contract/calls/table";
import { isPayMethod, type PayMethod, type PayOrder, type PayStatus, type QrCode } from "../contract/checkout";
import type { VisitorSession } from "./accounts.server";
import { isScannable, toPayTarget } from "./pay-link.server";
import { nullIfMissing, toRefusal, UpstreamRefusal } from "./refusal.server";
import type { Upstream } from "./upstream.server";

/** Fields of an order that the browser may choose; the server sets price and sign. */
export interface OrderRequest {
  pCode: string;
  platform: PayMethod;
  isPhone: boolean;
  /** The page is open in WeChat, and the session holds the payer. */
  isInWechat?: boolean;
}

/** Throws UpstreamRefusal `bad-request`. */
export function parseOrderRequest(input: unknown): OrderRequest {
  const { pCode, platform, isPhone, isInWechat } = (
    typeof input === "object" && input !== null ? input : {}
  ) as Partial<OrderRequest>;
  if (typeof pCode !== "string" || pCode === "" || !isPayMethod(platform))
    throw new UpstreamRefusal({ code: "bad-request" });
  return { pCode, platform, isPhone: isPhone === true, isInWechat: isInWechat === true };
}

interface OrderContext {
  pageUrl: string;
  idempotencyKey?: string | undefined;
  /** The payer of the session, as WeChat names it. */
  wechatPayer?: string | undefined;
}

/** Creates the order, or returns the open one. */
export async function createOrder(upstream: Upstream, request: OrderRequest, context: OrderContext): Promise<PayOrder> {
  const { pCode, platform, isPhone, isInWechat } = request;
  const payer = isInWechat ? context.wechatPayer : undefined;
  const trade = payer ? { tradeType: "jsapi" as const, payer } : isPhone && { tradeType: "h5" as const };
  const input = { pCode, platform, ...trade };
  return toPayOrder(await upstream.call("orderCreate", input, context.idempotencyKey), context.pageUrl);
}

/** The order's status. */
export const readOrderStatus = (upstream: Upstream, orderId: string): Promise<PayStatus> =>
  upstream.call("payResult", { orderId });

/** Closes an open order; returns its status, which is paid if the money had arrived. */
export const cancelOrder = (upstream: Upstream, orderId: string): Promise<PayStatus> =>
  upstream.call("orderCancel", { orderId });

/** The order that was handed over to this browser; null without one. Throws UpstreamRefusal for other failures. */
export async function findHandedOver({ upstream, session }: VisitorSession) {
  const pass = session.values.payPass;
  if (!pass) return null;
  return upstream.call("handoverShow", { pass }).catch(nullIfMissing);
}

/** Opens a link once; false for one that is used, over or unknown. Throws UpstreamRefusal for other failures. */
export async function openHandover({ upstream, session }: VisitorSession, token: string): Promise<boolean> {
  const opened = await upstream.call("handoverOpen", { token }).catch(nullIfMissing);
  if (opened) session.remember({ payPass: opened.pass });
  return opened !== null;
}

/** The link or code that pays the handed-over order. Throws UpstreamRefusal. */
export async function payHandedOver(
  { upstream, session }: VisitorSession,
  { platform, isPhone, pageUrl }: Pick<OrderRequest, "isPhone"> & { platform: unknown; pageUrl: string },
) {
  const pass = session.values.payPass;
  const method = Number(platform);
  if (!pass || !isPayMethod(method)) throw new UpstreamRefusal({ code: "bad-request" });
  const input = { pass, platform: method, ...(isPhone && { tradeType: "h5" as const }) };
  return { method, order: toPayOrder(await upstream.call("handoverPay", input), pageUrl) };
}

export type OrderRow = CallData<"orders">["list"][number];

/** A list from its newest row on; "failed" on an error, null if the upstream has no such call. */
export type History<Row> = { list: Row[]; hasMore: boolean } | "failed" | null;

const ordersPerPage = 20;
/** A generation has an entry at its start and one at its end. */
const entriesPerPage = 100;
const pagesMax = 50;

/** The account's last orders: as many pages as asked. */
export const readOrders = (upstream: Upstream, pages: number): Promise<History<OrderRow>> =>
  readPages(pages, ordersPerPage, (query) => upstream.call("orders", query));

/** The account's last ledger entries: as many pages as asked. */
export const readLedger = (upstream: Upstream, pages: number): Promise<History<CallData<"ledger">["list"][number]>> =>
  readPages(pages, entriesPerPage, (query) => upstream.call("ledger", query));

async function readPages<Row>(
  asked: number,
  pageSize: number,
  readPage: (query: { page: number; pageSize: number }) => Promise<{ list: Row[]; total: number }>,
): Promise<History<Row>> {
  const count = Math.min(pagesMax, asked);
  try {
    const pages = await Promise.all(
      Array.from({ length: count }, (_, index) => readPage({ page: index + 1, pageSize })),
    );
    const list = pages.flatMap((page) => page.list);
    return { list, hasMore: count < pagesMax && (pages[0]?.total ?? 0) > list.length };
  } catch (error) {
    return toRefusal(error).code === "unsupported" ? null : "failed";
  }
}

export function toPayOrder(
  { orderId, url, expireAt, urlExpireAt, price = 0 }: CallData<"orderCreate">,
  pageUrl: string,
  addressOfThisMachine = lanAddress,
): PayOrder {
  if (url.startsWith(bridgeScheme)) {
    const bridge = Object.fromEntries(new URL(url).searchParams);
    return { orderId, payUrl: "", form: null, bridge, qr: null, expireAt, linkExpireAt: 0, price, cashierPath: null };
  }
  const cashierPath = cashierPathOf(url, pageUrl);
  const { payUrl, form } = toPayTarget(cashierPath ?? url);
  const scanned = cashierPath ? toReachable(new URL(cashierPath, pageUrl), addressOfThisMachine).href : payUrl;
  const qr = isScannable(scanned) ? drawQr(scanned) : null;
  const linkExpireAt = urlExpireAt ?? assumedLinkExpiry(url);
  return { orderId, payUrl, form, qr, expireAt, linkExpireAt, price, cashierPath };
}

/** Ours: parameters for WeChat's own page bridge, written as a link. */
const bridgeScheme = "weixin://jsapi?";

/** WeChat Pay's links for phones expire after five minutes, for upstreams that do not say so. */
const wechatLink = { host: "wx.tenpay.com", seconds: 300 };

function assumedLinkExpiry(url: string): number {
  const isWechat = URL.canParse(url) && new URL(url).host === wechatLink.host;
  return isWechat ? Math.floor(Date.now() / 1000) + wechatLink.seconds : 0;
}

/** The path of a sandbox link, which leads to this site; null for a real gateway's link. */
function cashierPathOf(url: string, pageUrl: string): string | null {
  if (!URL.canParse(url, pageUrl)) return null;
  const { origin, pathname } = new URL(url, pageUrl);
  return origin === new URL(pageUrl).origin && /^\/cashier\/[\w-]+$/.test(pathname) ? pathname : null;
}

/** Replaces localhost, which a phone that scans the code cannot reach. */
function toReachable(url: URL, addressOfThisMachine: () => string | undefined): URL {
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

/** The button of the sandbox cashier; null for any other value. */
export const parseCashierButton = (value: unknown): CashierLever | null =>
  cashierLevers.find((lever) => lever === value) ?? null;

/** Quiet modules; the white card around the code provides the rest of the required four. */
const border = 1;

/** A QR code as one SVG path; null if the text does not fit. */
export function drawQr(text: string): QrCode | null {
  if (!text) return null;
  try {
    const { size, data } = encode(text, { ecc: "M", border });
    return { size, path: data.map(rowPath).join("") };
  } catch {
    return null;
  }
}

/** Adjacent dark squares become one rectangle. */
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
