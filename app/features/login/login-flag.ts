import { useSyncExternalStore } from "react";

/** What the visitor wanted when it turned out that it needs an account. */
export type LoginReason = "trials-used" | "save-role" | "to-clone" | "to-dub" | "to-buy" | "asked";

const watchers = new Set<() => void>();
let wanted: LoginReason | null = null;
let dropWish: (() => void) | undefined;

function set(next: LoginReason | null) {
  wanted = next;
  for (const watch of watchers) watch();
}

/** Raises the login flag: the root shows the dialog. `onCancel`: they would rather not. */
export function askToLogIn(reason: LoginReason, onCancel?: () => void) {
  dropWish = onCancel;
  set(reason);
}
export const stopAskingToLogIn = () => set(null);

/** The dialog was closed without a login: what it was wanted for is dropped. */
export function cancelLogin() {
  dropWish?.();
  set(null);
}

const subscribe = (watch: () => void) => {
  watchers.add(watch);
  return () => {
    watchers.delete(watch);
  };
};

/** The login flag: null while nobody has to log in. */
export const useLoginFlag = () =>
  useSyncExternalStore(
    subscribe,
    () => wanted,
    () => null,
  );

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
