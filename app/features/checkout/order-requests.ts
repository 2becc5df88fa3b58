import { type Refusal, refusalOf } from "~/call";
import { checkoutCopy } from "~/copy/checkout";
import { errorSentences, sentenceFor } from "~/copy/errors";
import { track } from "~/state/analytics-events";
import type { Product } from "~server/contract/calls/payments";
import { type PayMethod, type PayOrder, type PayStatus, wechatMethod } from "~server/contract/checkout";
import type { PayClient } from "./checkout-client";
import {
  chosenProduct,
  currentKey,
  currentOrder,
  type Flow,
  type FlowEvent,
  isExpired,
  linkSecondsLeft,
  pollEveryMs,
} from "./flow";

interface OrderRequestParts extends CheckoutContext {
  isPhone(): boolean;
  /** The page is open in WeChat, and the session holds the payer. */
  isInWechat?(): boolean;
  /** The dialog is visible and its code or link can be paid here. */
  canShowCode(): boolean;
  isPressAllowed(): boolean;
  notifyError(text: string): void;
  /** An order can be polled. */
  onOrder(): void;
}

/** Fetches the packages and provides the order of the chosen one, cached or new. */
export function createOrderRequests(parts: OrderRequestParts) {
  const { client, isOpen, flow, dispatch, notifyError, onOrder } = parts;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  /** When the packages were read. */
  let readAt = 0;
  const askPrice = createPriceQuestion(dispatch);

  async function readProducts() {
    const products = await client.fetchProducts();
    readAt = Date.now();
    if (isOpen()) dispatch({ type: "products-loaded", products });
  }

  async function fetchProducts() {
    dispatch({ type: "products-requested" });
    try {
      await readProducts();
    } catch (error) {
      if (!isOpen()) return;
      dispatch({ type: "products-failed", text: sentenceFor(refusalOf(error)) });
    }
    await ensureOrder();
  }

  async function ensureOrder() {
    const { method, view, pendingKeys } = flow();
    const product = chosenProduct(flow());
    const key = currentKey(flow());
    if (!isOpen() || view !== "paying" || !product || !key || !parts.canShowCode()) return;
    const known = currentOrder(flow());
    if ((known && !mustRenewLink(known)) || pendingKeys.includes(key)) return onOrder();
    if (!parts.isPressAllowed()) return fail(key, errorSentences["too-many"]);
    dispatch({ type: "order-requested", key });
    try {
      // The order tells its price too, so that a failure here stops nothing.
      if (Date.now() - readAt > freshMs) await readProducts().catch(() => {});
      if (!isOpen()) return;
      const offered = flow().products?.find(({ pCount }) => pCount === product.pCount);
      if (offered && askPrice(key, product.price, offered.price)) return;
      const order = await client.createOrder(toRequest(product, method));
      if (!isOpen()) return;
      if (!order.orderId) return fail(key, checkoutCopy.orderWithoutId);
      if (!known && askPrice(key, product.price, order.price)) return;
      dispatch({ type: "order-created", key, order });
      if (order.orderId !== known?.orderId) track("order_created", { package: product.pCode, yuan: order.price / 100 });
      planRenewal(order);
    } catch (error) {
      if (!isOpen()) return;
      const refusal = refusalOf(error);
      if (refusal.message) notifyError(refusal.message);
      fail(key, sentenceOf(refusal), refusal.data?.reason === "tier" ? tierFirst : {});
    }
    onOrder();
  }

  const toRequest = ({ pCode }: Product, platform: PayMethod) => {
    const isInWechat = platform === wechatMethod && parts.isInWechat?.();
    return { pCode, platform, isPhone: parts.isPhone(), ...(isInWechat && { isInWechat }) };
  };

  /** Renews a link that expires soon, while its order can be paid. */
  async function renewLink() {
    const order = currentOrder(flow());
    if (order && mustRenewLink(order) && flow().watch?.state !== "over" && !isExpired(order, Date.now()))
      await ensureOrder();
  }

  function planRenewal(order: PayOrder) {
    clearTimeout(renewal);
    const seconds = linkSecondsLeft(order, Date.now());
    if (seconds !== null && seconds > 0) renewal = setTimeout(renewLink, seconds * 1000);
  }

  function fail(key: string, text: string, way: Partial<typeof tierFirst> = {}) {
    dispatch({ type: "order-failed", key, text, ...way });
    notifyError(text);
  }

  return { fetchProducts, ensureOrder, renewLink, stop: () => clearTimeout(renewal) };
}

/** Asks about another price than the one shown, once; false where the order may go on. */
function createPriceQuestion(dispatch: CheckoutContext["dispatch"]) {
  /** Fen that the payer was asked about and ordered at, by key. */
  const askedPrices = new Map<string, number>();
  return (key: string, shown: number, price: number): boolean => {
    if (!price || price === shown || askedPrices.get(key) === price) return false;
    askedPrices.set(key, price);
    const { text, accept } = checkoutCopy.repriced;
    dispatch({ type: "order-failed", key, text: text(shown, price), action: accept });
    return true;
  };
}

/** Packages that were read longer ago may have other prices now. */
const freshMs = 10_000;

const mustRenewLink = (order: PayOrder) => (linkSecondsLeft(order, Date.now()) ?? 1) <= 0;

/** Another try at a pack would be refused as well. */
const tierFirst = { action: checkoutCopy.toTiers, needsTier: true };

/** Specification section 8. */
function sentenceOf({ code, data }: Refusal): string {
  if (code === "too-many" || code === "login-expired") return errorSentences[code];
  return data?.reason === "tier" ? checkoutCopy.packForMembers : checkoutCopy.orderFailed;
}

/** State shared by order requests and polling. */
export interface CheckoutContext {
  client: PayClient;
  isOpen(): boolean;
  flow(): Flow;
  dispatch(event: FlowEvent): void;
}

/** Polls the watched order's status every two seconds while the flow requires it; one request at a time. */
export function createPolling({ client, isOpen, flow, dispatch }: CheckoutContext) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pollingOrderId: string | null = null;

  /** Schedules the next request if one is due. */
  function plan() {
    clearTimeout(timer);
    const { watch } = flow();
    if (isOpen() && watch?.state === "asking" && pollingOrderId !== watch.orderId) timer = setTimeout(ask, pollEveryMs);
  }

  /** The result, or the refusal. */
  async function ask(): Promise<PayStatus["result"] | Refusal | null> {
    const orderId = flow().watch?.orderId;
    if (!isOpen() || !orderId || pollingOrderId === orderId) return null;
    clearTimeout(timer);
    pollingOrderId = orderId;
    try {
      const status = await client.fetchStatus(orderId);
      if (isOpen()) dispatch({ type: "status-received", orderId, ...status });
      return status.result;
    } catch (error) {
      if (isOpen()) dispatch({ type: "poll-failed", orderId });
      return refusalOf(error);
    } finally {
      if (pollingOrderId === orderId) pollingOrderId = null;
      plan();
    }
  }

  return { plan, ask, stop: () => clearTimeout(timer) };
}
