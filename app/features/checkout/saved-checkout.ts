import type { BuyRequest } from "~/dialog-requests";
import { createSavedValue } from "~/ui/store";
import type { PayMethod, PayOrder } from "~server/contract/checkout";

/** The checkout's state that survives a reload. */
export interface SavedCheckout {
  /** Phone of the account that owns the orders. */
  owner: string;
  /** The dialog was open. */
  isOpen: boolean;
  packageId: string | null;
  method: PayMethod;
  orders: Readonly<Record<string, PayOrder>>;
}

const checkout = createSavedValue("checkout", (json) => json as SavedCheckout | null);

/** Null for another account's checkout. */
export function readSavedCheckout(owner: string): SavedCheckout | null {
  const saved = checkout.read();
  return saved?.owner === owner ? saved : null;
}

export const saveCheckout = (saved: SavedCheckout) => void checkout.write(saved);

const pending = createSavedValue("buy-request", (json) => json as { request: BuyRequest; at: number } | null);
const pendingMs = 600_000;

/** Saves a visitor's request to buy across the login, which reloads the page. */
export const saveBuyRequest = (request: BuyRequest) => void pending.write({ request, at: Date.now() });
export const dropBuyRequest = () => void pending.write(null);

/** The saved request, once and for ten minutes. */
export function takeBuyRequest(): BuyRequest | null {
  const saved = pending.take();
  return saved && Date.now() - saved.at < pendingMs ? saved.request : null;
}
