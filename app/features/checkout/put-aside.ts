import type { BuyWish } from "./buy-flag";

const storageKey = "wants-to-buy";
const livesMs = 600_000;

/** What a visitor wanted to buy goes on after the login, which reloads the page. */
export function putAside(wish: BuyWish) {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ wish, at: Date.now() }));
  } catch {}
}

/** They would rather not log in. */
export function dropAside() {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {}
}

/** Once, and not long after. */
export function takeAside(): BuyWish | null {
  try {
    const aside = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as { wish: BuyWish; at: number } | null;
    sessionStorage.removeItem(storageKey);
    return aside && Date.now() - aside.at < livesMs ? aside.wish : null;
  } catch {
    return null;
  }
}
