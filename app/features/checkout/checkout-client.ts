import { bffPaths, call, callApi, createIdempotentCall } from "~/call";
import type { OrderRequest } from "~server/bff/checkout.server";
import type { Product } from "~server/contract/calls/payments";
import type { PayOrder, PayStatus } from "~server/contract/checkout";

export type { OrderRequest };

/** The payment calls; each throws Refused. */
export interface PayClient {
  fetchProducts(): Promise<readonly Product[]>;
  /** Repeated after a lost response it is still one order. */
  createOrder(request: OrderRequest): Promise<PayOrder>;
  fetchStatus(orderId: string): Promise<PayStatus>;
}

const timeoutMs = 30_000;
const createOrder = createIdempotentCall<OrderRequest, { order: PayOrder; now: number }>(bffPaths.orders, {
  timeoutMs,
});

/** The order with its expiries on this device's clock, which may be wrong by days. `serverNow` in Unix seconds. */
export function toOwnClock(order: PayOrder, serverNow: number, nowMs: number): PayOrder {
  const ahead = Math.round(nowMs / 1000) - serverNow;
  const shift = (expireAt: number) => (expireAt > 0 ? expireAt + ahead : expireAt);
  return { ...order, expireAt: shift(order.expireAt), linkExpireAt: shift(order.linkExpireAt) };
}

export const payClient: PayClient = {
  fetchProducts: () => callApi("products", {}, { timeoutMs }),
  createOrder: async (request) => {
    const { order, now } = await createOrder(request);
    return toOwnClock(order, now, Date.now());
  },
  fetchStatus: (orderId) => call<PayStatus>(bffPaths.order(orderId), { method: "PATCH", timeoutMs }),
};

/** Closes an open order; returns its status afterwards. Throws Refused. */
export const cancelOrder = (orderId: string) =>
  call<PayStatus>(bffPaths.order(orderId), { method: "DELETE", timeoutMs });
