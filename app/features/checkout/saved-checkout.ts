import type { BuyRequest } from "~/dialog-requests";
import { createSavedValue, owned } from "~/ui/store";
import type { PayMethod, PayOrder } from "~server/contract/checkout";
import type { PaymentNumbers } from "./flow";

/** The checkout's state that survives a reload. */
export interface SavedCheckout {
  /** The dialog was open. */
  isOpen: boolean;
  packageId: string | null;
  method: PayMethod;
  orders: Readonly<Record<string, PayOrder>>;
  /** The payment whose thanks are shown. */
  paid?: PaymentNumbers | null;
  /** The expiries before the payment, in Unix seconds. */
  before?: { vipExpire: number; svipExpire: number };
}

const checkout = createSavedValue(owned("checkout"), (json) => json as SavedCheckout | null);

export const readSavedCheckout = checkout.read;
export const saveCheckout = (saved: SavedCheckout) => void checkout.write(saved);

const pending = createSavedValue(owned("buy-request"), (json) => json as { request: BuyRequest; at: number } | null);
const pendingMs = 600_000;

/** Saves a visitor's request to buy across the login, which reloads the page. */
export const saveBuyRequest = (request: BuyRequest) => void pending.write({ request, at: Date.now() });
export const dropBuyRequest = () => void pending.write(null);

/** The saved request, once and for ten minutes. */
export function takeBuyRequest(): BuyRequest | null {
  const saved = pending.take();
  return saved && Date.now() - saved.at < pendingMs ? saved.request : null;
}
