import { useEffect, useState, useSyncExternalStore } from "react";

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
 * Subscribes to the part of the store's value that `select` returns; the component renders again only when that part
 * changes. `select` must return the same object for the same value.
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

const unfinishedParts = createStore(0);

/** Holds the presses of `usePressWhenReady` while a part of a draft is unfinished: a recording is being checked. */
export function useUnfinishedPart(isUnfinished: boolean): void {
  useEffect(() => {
    if (!isUnfinished) return;
    unfinishedParts.set(unfinishedParts.get() + 1);
    return () => unfinishedParts.set(unfinishedParts.get() - 1);
  }, [isUnfinished]);
}

/** Calls `act` at a press; a press while a part of a draft is unfinished waits for it. */
export function usePressWhenReady(act: () => void) {
  const isUnfinished = useStore(unfinishedParts, (count) => count > 0);
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || isUnfinished) return;
    setWaiting(false);
    act();
  }, [act, isWaiting, isUnfinished]);
  return { isWaiting, press: () => (isUnfinished ? setWaiting(true) : act()) };
}

type StorageKind = "session" | "local";

/** Text in this browser's storage. A browser that refuses storage reads as empty and saves nothing. */
export function createSavedText(key: string, kind: StorageKind = "session") {
  // Reading the property throws where storage is blocked, and on the server.
  const storage = () => (kind === "local" ? localStorage : sessionStorage);
  const read = (): string | null => {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  };
  /** `null` removes it. Returns false if the browser refused. */
  const write = (text: string | null): boolean => {
    try {
      if (text === null) storage().removeItem(key);
      else storage().setItem(key, text);
      return true;
    } catch {
      return false;
    }
  };
  /** Reads and removes. */
  const take = () => {
    const text = read();
    if (text !== null) write(null);
    return text;
  };
  return { read, write, take };
}

/**
 * A JSON value in this browser's storage. `parse` receives what is stored, which an older version of the site or another
 * program may have written, and returns null for what it does not accept.
 */
export function createSavedValue<Value>(key: string, parse: (json: unknown) => Value | null, kind?: StorageKind) {
  const saved = createSavedText(key, kind);
  const toValue = (text: string | null) => {
    try {
      return parse(JSON.parse(text ?? "null"));
    } catch {
      return null;
    }
  };
  return {
    read: () => toValue(saved.read()),
    /** `null` removes it. Returns false if the browser refused. */
    write: (value: Value | null) => saved.write(value === null ? null : JSON.stringify(value)),
    /** Reads and removes. */
    take: () => toValue(saved.take()),
  };
}
