import { paths } from "~/paths";
import type { BuyRequest } from "~/state/dialog-requests";
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
  /** The generation that continues after the payment. */
  resumes?: BuyRequest["resumes"];
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

/** A checkout whose payment page was opened, and the address it was on. */
interface Departure {
  checkout: SavedCheckout;
  from: string;
  /** Unix milliseconds. */
  at: number;
}

// The payment page has a tab of its own, and may lead back in it.
const departure = createSavedValue(owned("payment-page"), (json) => json as Departure | null, "local");
const departureMs = 7_200_000;

export function saveDeparture(): void {
  const saved = readSavedCheckout();
  const { pathname, search } = window.location;
  if (saved) departure.write({ checkout: saved, from: pathname + search, at: Date.now() });
}

/** The checkout that a gateway's page leads back to, by its number in the address; null for any other visit. */
export function toReturn(
  left: Departure | null,
  { pathname, search }: Pick<Location, "pathname" | "search">,
  nowMs: number,
) {
  const isReturn = pathname === paths.subscribe && new URLSearchParams(search).has("out_trade_no");
  if (!isReturn || !left || nowMs - left.at > departureMs || !/^\/(?!\/)/.test(left.from)) return null;
  return { checkout: { ...left.checkout, isOpen: true }, from: left.from };
}

/** Continues the checkout in this tab; returns the address it was on. */
export function takeReturn(): string | null {
  const back = toReturn(departure.read(), window.location, Date.now());
  if (back) saveCheckout(back.checkout);
  return back?.from ?? null;
}
