import type { PayMethod, PayOrder } from "~server/contract/checkout";
import type { BuyWish } from "./buy-flag";

/** What a reload must not lose. */
export interface Kept {
  /** Whose orders they are. */
  owner: string;
  /** The dialog stood open. */
  isOpen: boolean;
  packageId: string | null;
  method: PayMethod;
  orders: Readonly<Record<string, PayOrder>>;
}

const checkoutKey = "checkout";

/** Another account's orders are nobody's business. */
export function readKept(owner: string): Kept | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(checkoutKey) ?? "null") as Kept | null;
    return kept?.owner === owner ? kept : null;
  } catch {
    return null;
  }
}

export function keep(kept: Kept) {
  try {
    sessionStorage.setItem(checkoutKey, JSON.stringify(kept));
  } catch {}
}

const requestKey = "wants-to-buy";
const livesMs = 600_000;

/** What a visitor wanted to buy goes on after the login, which reloads the page. */
export function putAside(wish: BuyWish) {
  try {
    sessionStorage.setItem(requestKey, JSON.stringify({ wish, at: Date.now() }));
  } catch {}
}

/** They would rather not log in. */
export function dropAside() {
  try {
    sessionStorage.removeItem(requestKey);
  } catch {}
}

/** Once, and not long after. */
export function takeAside(): BuyWish | null {
  try {
    const aside = JSON.parse(sessionStorage.getItem(requestKey) ?? "null") as { wish: BuyWish; at: number } | null;
    sessionStorage.removeItem(requestKey);
    return aside && Date.now() - aside.at < livesMs ? aside.wish : null;
  } catch {
    return null;
  }
}
