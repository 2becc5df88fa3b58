import { useSyncExternalStore } from "react";

/** A value outside React that components follow with `useStore`. */
export interface Store<Value> {
  get(): Value;
  /** The value on the server and while its markup hydrates. */
  getInitial(): Value;
  set(next: Value): void;
  /** Calls `listener` after every change; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    getInitial: () => initial,
    set(next) {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * What `select` takes from the store's value; the component renders again only when that changes. `select` must return
 * the same object for the same value.
 */
export function useStore<Value>(store: Store<Value>): Value;
export function useStore<Value, Part>(store: Store<Value>, select: (value: Value) => Part): Part;
export function useStore<Value, Part>(store: Store<Value>, select = (value: Value) => value as unknown as Part): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.getInitial()),
  );
}
