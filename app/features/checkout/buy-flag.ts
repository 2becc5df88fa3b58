import { useSyncExternalStore } from "react";
import type { PayMethod } from "~server/contract/checkout";

/** What somebody wants to buy; any package where they did not say. */
export interface BuyWish {
  /** `pCount` of a product. */
  packageId?: string | undefined;
  /** The payer's own choice where absent. */
  method?: PayMethod | undefined;
}

const watchers = new Set<() => void>();
let wanted: BuyWish | null = null;

function set(next: BuyWish | null) {
  wanted = next;
  for (const watch of watchers) watch();
}

/** Raises the buy flag: the pay dialog opens. */
export const askToBuy = (wish: BuyWish = {}) => set(wish);
export const stopBuying = () => set(null);

const subscribe = (watch: () => void) => {
  watchers.add(watch);
  return () => {
    watchers.delete(watch);
  };
};

/** The buy flag: null while nobody buys. */
export const useBuyFlag = () =>
  useSyncExternalStore(
    subscribe,
    () => wanted,
    () => null,
  );
