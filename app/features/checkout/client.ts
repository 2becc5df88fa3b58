import { bffPaths } from "~/bff-paths";
import { createWishKey } from "~/wish-key";
import { type Product } from "~server/contract/calls/payments";
import type { PayMethod, PayOrder, PayStatus } from "~server/contract/checkout";

/** What the site answers when a call could not go on. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly reason?: unknown,
    /** The upstream's own words. */
    readonly words = "",
  ) {
    super(code);
  }
}

export interface OrderWish {
  pCode: string;
  platform: PayMethod;
  isPhone: boolean;
}

/** The site's payment calls; each throws Refused. */
export interface PayClient {
  fetchProducts(): Promise<readonly Product[]>;
  /** An answer that gets lost is asked for once more by itself; however often, it is one order. */
  createOrder(wish: OrderWish): Promise<PayOrder>;
  askResult(orderId: string): Promise<PayStatus>;
}

export const payClient: PayClient = {
  fetchProducts: async () => (await send<{ products: Product[] }>(bffPaths.products)).products,
  createOrder,
  askResult: (orderId) => send<PayStatus>(bffPaths.orderResult(orderId), { body: {} }),
};

/** Closes an open order; answers how it stands then. Throws Refused. */
export const cancelOrder = (orderId: string) => send<PayStatus>(bffPaths.orderCancel(orderId), { body: {} });

const unanswered = createWishKey();

async function createOrder(wish: OrderWish): Promise<PayOrder> {
  const ask = (key: string) => send<{ order: PayOrder }>(bffPaths.orders, { body: wish, key });
  const isLost = (error: unknown) => codeOf(error) === "network";
  return (await unanswered.send(wish, { ask, isLost })).order;
}

const patienceMs = 30_000;

/** Posts where there is something to say, else reads. */
async function send<Answer>(path: string, { body, key }: { body?: object; key?: string } = {}): Promise<Answer> {
  const headers = { "content-type": "application/json", ...(key && { "idempotency-key": key }) };
  const post = { method: "POST", headers, body: JSON.stringify(body) };
  const init = { ...(body && post), signal: AbortSignal.timeout(patienceMs) };
  const response = await fetch(path, init).catch((cause: unknown) => {
    throw new Refused("network", cause);
  });
  const answer = (await response.json().catch(() => null)) as (Answer & { refusal?: SaidRefusal }) | null;
  if (response.ok && answer && !answer.refusal) return answer;
  const { code = "request-failed", data, message } = answer?.refusal ?? {};
  throw new Refused(code, data?.reason, message);
}

interface SaidRefusal {
  code: string;
  message?: string;
  data?: { reason?: unknown };
}

export const codeOf = (error: unknown) => (error instanceof Refused ? error.code : "request-failed");
