import type { LoginReason } from "./login-flag";

const storageKey = "after-login";

/** Before the page reloads after a login: what was pressed when the account turned out to be needed. */
export function rememberAction(reason: LoginReason) {
  try {
    sessionStorage.setItem(storageKey, reason);
  } catch {}
}

/** What is to go on by itself now, once. */
export function takeAction(): string | null {
  try {
    const reason = sessionStorage.getItem(storageKey);
    sessionStorage.removeItem(storageKey);
    return reason;
  } catch {
    return null;
  }
}
