import { type Refusal, refusalOf } from "~/call";
import { checkoutCopy } from "~/copy/checkout";
import { errorSentences } from "~/copy/errors";
import { track } from "~/track";
import type { PayOrder } from "~server/contract/checkout";
import type { PayClient } from "./checkout-client";
import {
  chosenProduct,
  type Flow,
  type FlowEvent,
  isExpired,
  keyNow,
  linkSecondsLeft,
  orderNow,
  pollEveryMs,
} from "./flow";

interface OrderingParts extends Running {
  isPhone(): boolean;
  /** The payer sees the dialog, and its code or link can be paid here. */
  canShowCode(): boolean;
  mayPress(): boolean;
  sayError(text: string): void;
  /** There is an order to ask about. */
  onOrder(): void;
}

/** Fetches packages, and the order of what is chosen: the cached one, else a fresh one. */
export function createOrdering(parts: OrderingParts) {
  const { client, isOpen, flow, happen, leaveToLogIn, sayError, onOrder } = parts;
  let renewal: ReturnType<typeof setTimeout> | undefined;

  async function fetchProducts() {
    happen({ type: "products-wanted" });
    try {
      const products = await client.fetchProducts();
      if (!isOpen()) return;
      happen({ type: "products-came", products });
    } catch (error) {
      if (!isOpen()) return;
      happen({ type: "products-failed" });
      if (refusalOf(error).code === "login-expired") leaveToLogIn();
    }
    await needOrder();
  }

  async function needOrder() {
    const { method, view, making } = flow();
    const product = chosenProduct(flow());
    const key = keyNow(flow());
    if (!isOpen() || view !== "paying" || !product || !key || !parts.canShowCode()) return;
    const known = orderNow(flow());
    if ((known && !needsLink(known)) || making.includes(key)) return onOrder();
    if (!parts.mayPress()) return fail(key, errorSentences["too-many"]);
    happen({ type: "order-wanted", key });
    try {
      const order = await client.createOrder({ pCode: product.pCode, platform: method, isPhone: parts.isPhone() });
      if (!isOpen()) return;
      if (!order.orderId) return fail(key, checkoutCopy.orderWithoutId);
      happen({ type: "order-made", key, order });
      if (order.orderId !== known?.orderId) track("order_created", { package: product.pCode, yuan: order.price / 100 });
      planRenewal(order);
    } catch (error) {
      if (!isOpen()) return;
      if (refusalOf(error).code === "login-expired") leaveToLogIn();
      else {
        const refusal = refusalOf(error);
        if (refusal.message) sayError(refusal.message);
        fail(key, sentenceOf(refusal));
      }
    }
    onOrder();
  }

  /** A link that could soon no longer be opened is asked for again, while its order can be paid. */
  async function renewLink() {
    const order = orderNow(flow());
    if (order && needsLink(order) && flow().watch?.state !== "over" && !isExpired(order, Date.now())) await needOrder();
  }

  function planRenewal(order: PayOrder) {
    clearTimeout(renewal);
    const seconds = linkSecondsLeft(order, Date.now());
    if (seconds !== null && seconds > 0) renewal = setTimeout(renewLink, seconds * 1000);
  }

  function fail(key: string, text: string) {
    happen({ type: "order-failed", key, text });
    sayError(text);
  }

  return { fetchProducts, needOrder, renewLink, stop: () => clearTimeout(renewal) };
}

const needsLink = (order: PayOrder) => (linkSecondsLeft(order, Date.now()) ?? 1) <= 0;

/** Specification section 8. */
function sentenceOf({ code, data }: Refusal): string {
  if (code === "too-many") return errorSentences["too-many"];
  return data?.reason === "tier" ? checkoutCopy.packForMembers : checkoutCopy.orderFailed;
}

/** What the parts of a desk share. */
export interface Running {
  client: PayClient;
  isOpen(): boolean;
  flow(): Flow;
  happen(event: FlowEvent): void;
  leaveToLogIn(): void;
}

/** Asks for the watched order's result, every two seconds while the flow says so; never twice at once. */
export function createPolling({ client, isOpen, flow, happen, leaveToLogIn }: Running) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: string | null = null;

  /** Plans the next question, if there is one to ask. */
  function plan() {
    clearTimeout(timer);
    const { watch } = flow();
    if (isOpen() && watch?.state === "asking" && asking !== watch.orderId) timer = setTimeout(ask, pollEveryMs);
  }

  async function ask(): Promise<"success" | "waiting" | "failed" | null> {
    const orderId = flow().watch?.orderId;
    if (!isOpen() || !orderId || asking === orderId) return null;
    clearTimeout(timer);
    asking = orderId;
    try {
      const status = await client.fetchStatus(orderId);
      if (isOpen()) happen({ type: "answered", orderId, ...status });
      return status.result === "success" ? "success" : "waiting";
    } catch (error) {
      if (isOpen()) happen({ type: "poll-failed", orderId });
      if (refusalOf(error).code === "login-expired") leaveToLogIn();
      return "failed";
    } finally {
      if (asking === orderId) asking = null;
      plan();
    }
  }

  return { plan, ask, stop: () => clearTimeout(timer) };
}
