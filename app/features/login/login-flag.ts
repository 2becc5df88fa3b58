import { useSyncExternalStore } from "react";

/** What the visitor wanted when it turned out that it needs an account. */
export type LoginReason = "trials-used" | "save-role" | "to-clone" | "to-dub" | "to-buy" | "asked";

const watchers = new Set<() => void>();
let wanted: LoginReason | null = null;

function set(next: LoginReason | null) {
  wanted = next;
  for (const watch of watchers) watch();
}

/** Raises the login flag: the root shows the dialog. */
export const askToLogIn = (reason: LoginReason) => set(reason);
export const stopAskingToLogIn = () => set(null);

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
