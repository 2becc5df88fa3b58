import { useSyncExternalStore } from "react";

const watchers = new Set<() => void>();
let isWanted = false;

function set(next: boolean) {
  isWanted = next;
  for (const watch of watchers) watch();
}

/** Something needs an account: raise the flag and whoever shows the log-in form takes it from here. */
export const askToLogIn = () => set(true);
export const stopAskingToLogIn = () => set(false);

const subscribe = (watch: () => void) => {
  watchers.add(watch);
  return () => {
    watchers.delete(watch);
  };
};

export const useLoginFlag = () =>
  useSyncExternalStore(
    subscribe,
    () => isWanted,
    () => false,
  );
