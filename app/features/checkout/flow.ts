import type { BuyRequest } from "~/state/dialog-requests";
import type { Product } from "~server/contract/calls/payments";
import type { PayMethod, PayOrder, PayResult, PayStatus } from "~server/contract/checkout";

export const pollEveryMs = 2000;
export const pollsMax = 150;

/**
 * `asking`: polled every two seconds. `paused`: polled when the payer acts or returns. `over`: the order can no longer be
 * paid, a new one can.
 */
export interface PaymentWatch {
  orderId: string;
  state: "asking" | "paused" | "over";
  /** Responses so far; automatic polling ends with the 150th. */
  polls: number;
  /** Reason why the order is not paid yet. */
  note: PayStatus["note"];
}

/** The numbers that identify a payment; "" if the upstream has none. */
export interface PaymentNumbers {
  orderId: string;
  outTradeNo: string;
  transactionId: string;
}

export interface OrderFailure {
  key: string;
  text: string;
  action?: string;
  /** Packs are for members: the button leads to the memberships. */
  needsTier?: boolean;
}

/** The state of the checkout; everything it shows is derived from it. */
export interface Flow {
  view: "paying" | "retention" | "success" | "closed";
  /** The offer to stay is made once. */
  hasOfferedToStay: boolean;
  products: readonly Product[] | null;
  /** Why there are none. */
  productsFault: string | null;
  /** `pCount` of the chosen product: two products may share one `pCode`. */
  packageId: string | null;
  /** The requested kind of package; null after the payer has chosen one. */
  packageType: Product["packageType"] | "tier" | null;
  method: PayMethod;
  /** Orders by package and method. */
  orders: Readonly<Record<string, PayOrder>>;
  /** Keys of the orders that are being created. */
  pendingKeys: readonly string[];
  /** The order that was not created, the message, and the words of the button that goes on; absent: tries again. */
  failed: OrderFailure | null;
  watch: PaymentWatch | null;
  /** The order that got a new code after a payment of a wrong amount. */
  renewedOrderId: string | null;
  /** Set after the payment. */
  paid: PaymentNumbers | null;
}

export type FlowEvent =
  | ({ type: "reopened"; packageId: string | null } & Pick<BuyRequest, "method" | "packageType">)
  | { type: "products-requested" }
  | { type: "products-loaded"; products: readonly Product[] }
  | { type: "products-failed"; text: string }
  | { type: "package-chosen"; packageId: string }
  | { type: "method-chosen"; method: PayMethod }
  | { type: "order-requested"; key: string }
  | { type: "order-created"; key: string; order: PayOrder }
  | ({ type: "order-failed" } & OrderFailure)
  | { type: "order-dropped"; key: string }
  | { type: "polling-resumed" }
  | ({ type: "status-received"; orderId: string; result: PayResult } & Partial<PayStatus>)
  | { type: "poll-failed"; orderId: string }
  | { type: "closed" }
  | { type: "stayed" }
  | { type: "left" };

export const keyOf = (packageId: string, method: PayMethod) => `${packageId} ${method}`;
export const currentKey = ({ packageId, method }: Pick<Flow, "packageId" | "method">) =>
  packageId ? keyOf(packageId, method) : null;

export const chosenProduct = ({ products, packageId }: Pick<Flow, "products" | "packageId">) =>
  products?.find(({ pCount }) => pCount === packageId) ?? null;

/** The order of the chosen package and method. */
export function currentOrder(flow: Flow): PayOrder | null {
  const key = currentKey(flow);
  return (key && flow.orders[key]) || null;
}

export const isExpired = ({ expireAt }: PayOrder, nowMs: number) => expireAt > 0 && expireAt * 1000 <= nowMs;

const linkMarginSeconds = 60;

/** Seconds until the order's link must be renewed; null if it lives as long as the order. */
export const linkSecondsLeft = ({ linkExpireAt }: PayOrder, nowMs: number): number | null =>
  linkExpireAt > 0 ? linkExpireAt - linkMarginSeconds - nowMs / 1000 : null;

export const startFlow = (
  start: Partial<Pick<Flow, "packageId" | "method" | "orders" | "paid" | "view">> = {},
): Flow => ({
  view: "paying",
  hasOfferedToStay: false,
  products: null,
  productsFault: null,
  packageId: null,
  packageType: null,
  method: 1,
  orders: {},
  pendingKeys: [],
  failed: null,
  watch: null,
  renewedOrderId: null,
  paid: null,
  ...start,
});

export function advance(flow: Flow, event: FlowEvent): Flow {
  switch (event.type) {
    case "reopened":
      // After a reload the thanks are still shown.
      if (flow.view === "success") return flow;
      return withWatch({ ...flow, view: "paying", hasOfferedToStay: false, ...chosenBy(event, flow) });
    case "products-requested":
      return { ...flow, productsFault: null };
    case "products-loaded":
      return withWatch({ ...flow, products: event.products, packageId: chosenOf(flow, event.products) });
    case "products-failed":
      return { ...flow, productsFault: flow.products ? null : event.text };
    case "package-chosen":
      return withWatch({ ...flow, packageId: event.packageId, packageType: null });
    case "method-chosen":
      return withWatch({ ...flow, method: event.method });
    case "closed":
      if (flow.view === "success" || flow.hasOfferedToStay) return { ...flow, view: "closed", watch: null };
      return { ...flow, view: "retention", hasOfferedToStay: true };
    case "stayed":
      return flow.view === "retention" ? { ...flow, view: "paying" } : flow;
    case "left":
      return { ...flow, view: "closed", watch: null };
    default:
      return event.type.startsWith("order-") ? advanceOrder(flow, event) : advanceWatch(flow, event);
  }
}

function chosenBy(request: FlowEvent & { type: "reopened" }, flow: Flow) {
  const wanted = { packageId: request.packageId ?? flow.packageId, packageType: request.packageType ?? null };
  const packageId = flow.products ? chosenOf(wanted, flow.products) : wanted.packageId;
  return { ...wanted, packageId, method: request.method ?? flow.method };
}

/** The requested package if it exists and is of the requested kind, otherwise the last of that kind or of all. */
function chosenOf({ packageId, packageType }: Pick<Flow, "packageId" | "packageType">, products: readonly Product[]) {
  const ofKind = products.filter(
    ({ packageType: type }) => type === packageType || (packageType === "tier" && type < 3),
  );
  const choice = ofKind.length > 0 ? ofKind : products;
  return choice.some(({ pCount }) => pCount === packageId) ? packageId : (choice.at(-1)?.pCount ?? null);
}

function advanceOrder(flow: Flow, event: FlowEvent): Flow {
  if (!("key" in event)) return flow;
  const { key } = event;
  const pendingKeys = flow.pendingKeys.filter((other) => other !== key);
  switch (event.type) {
    case "order-requested":
      return { ...flow, pendingKeys: [...pendingKeys, key], failed: flow.failed?.key === key ? null : flow.failed };
    case "order-created":
      return withWatch({ ...flow, pendingKeys, failed: null, orders: { ...flow.orders, [key]: event.order } });
    case "order-failed":
      return { ...flow, pendingKeys, failed: event };
    default: {
      const { [key]: _, ...orders } = flow.orders;
      const renewedOrderId = flow.watch?.note === "suspended" ? flow.watch.orderId : flow.renewedOrderId;
      return { ...flow, orders, watch: null, renewedOrderId };
    }
  }
}

/** The note to show instead of the code; "" while the code can be paid. */
export const currentNote = ({ watch, renewedOrderId }: Pick<Flow, "watch" | "renewedOrderId">): PayStatus["note"] =>
  watch && !(watch.note === "suspended" && watch.orderId === renewedOrderId) ? watch.note : "";

/** Watches the order of the current choice; a different order starts from zero polls. */
function withWatch(flow: Flow): Flow {
  const orderId = currentOrder(flow)?.orderId;
  if (flow.view === "closed" || !orderId) return { ...flow, watch: null };
  return flow.watch?.orderId === orderId ? flow : { ...flow, watch: { orderId, state: "asking", polls: 0, note: "" } };
}

function advanceWatch(flow: Flow, event: FlowEvent): Flow {
  const { watch } = flow;
  if (!watch || ("orderId" in event && event.orderId !== watch.orderId)) return flow;
  switch (event.type) {
    case "polling-resumed":
      return watch.state === "over" ? flow : { ...flow, watch: { ...watch, state: stateAfter(watch.polls) } };
    case "poll-failed":
      return { ...flow, watch: { ...watch, state: "paused" } };
    case "status-received":
      return withStatus(flow, watch, event);
    default:
      return flow;
  }
}

const stateAfter = (polls: number) => (polls < pollsMax ? "asking" : "paused");

function withStatus(flow: Flow, watch: PaymentWatch, status: Partial<PayStatus> & Pick<PayStatus, "result">): Flow {
  const { result, note = "", outTradeNo = "", transactionId = "" } = status;
  const paid = { orderId: watch.orderId, outTradeNo, transactionId };
  if (result === "success") return { ...flow, view: "success", orders: {}, watch: null, paid };
  const polls = watch.polls + 1;
  if (result === "waiting") {
    const state = watch.state === "asking" ? stateAfter(polls) : watch.state;
    return { ...flow, watch: { ...watch, polls, state, note } };
  }
  return { ...flow, watch: { ...watch, polls, state: "over" } };
}
