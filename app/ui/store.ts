import { useEffect, useRef, useState, useSyncExternalStore } from "react";

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

/** One function for each unfinished part of a draft, which ends the part early. */
const unfinishedParts = createStore<readonly (() => void)[]>([]);

/** Whether a recording runs or is being checked. */
export const hasUnfinishedPart = () => unfinishedParts.get().length > 0;

/**
 * Holds the presses of `usePressWhenReady` while a part of a draft is unfinished: a recording runs or is being checked.
 * A press calls `finish`, if the part can be ended early.
 */
export function useUnfinishedPart(isUnfinished: boolean, finish?: () => void): void {
  const latest = useRef(finish);
  latest.current = finish;
  useEffect(() => {
    if (!isUnfinished) return;
    const finishPart = () => latest.current?.();
    unfinishedParts.set([...unfinishedParts.get(), finishPart]);
    return () => unfinishedParts.set(unfinishedParts.get().filter((other) => other !== finishPart));
  }, [isUnfinished]);
}

/** Calls `act` at a press; a press while a part of a draft is unfinished ends that part and waits for it. */
export function usePressWhenReady(act: () => void) {
  const isUnfinished = useStore(unfinishedParts, (parts) => parts.length > 0);
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || isUnfinished) return;
    setWaiting(false);
    act();
  }, [act, isWaiting, isUnfinished]);
  const press = () => {
    if (!isUnfinished) return act();
    setWaiting(true);
    for (const finish of unfinishedParts.get()) finish();
  };
  return { isWaiting, press };
}

/**
 * Whose document this is: the account's key from the server, "" for a login from before there were keys, null for a
 * visitor. What a page saves in this browser is named after it, so that the next person's documents do not find it. It
 * never changes: a document whose account changed is loaded anew, which also empties its memory.
 */
let owner: string | null | undefined;

/** The key under which this document saves a value. */
export const ownedKey = (key: string) => (owner === "" ? key : `${owner ?? "visitor"}/${key}`);
/** The same for `createSavedText` and `createSavedValue`, which are called before the owner is known. */
export const owned = (key: string) => () => ownedKey(key);
/** The account's key for a value of a visitor, or of a login from before there were keys; null for any other value. */
export const claimedKey = (key: string) =>
  owner && /^visitor\/|^[^/]*$/.test(key) ? ownedKey(key.replace("visitor/", "")) : null;
export const isAccounts = (key: string) => Boolean(owner) && key.startsWith(`${owner}/`);
/** True in an account's document, also after its login has ended. */
export const isAccountsDocument = () => typeof owner === "string";
/** True if the page's newest data belong to someone else than the document. */
export const isOthersDocument = (next: string | null | undefined) =>
  owner !== undefined && next !== undefined && next !== owner;

/** The first call names the document's owner, and gives an account what a visitor saved as text before the login. */
export function openDocument(next: string | null | undefined): void {
  if (typeof document === "undefined" || owner !== undefined || next === undefined) return;
  owner = next;
  eachSavedText((storage, key) => {
    const own = key.startsWith("visitor/") && claimedKey(key);
    if (!own) return;
    storage.setItem(own, storage.getItem(key) ?? "");
    storage.removeItem(key);
  });
}

/** Removes the saved texts of a deleted account. */
export const forgetSavedTexts = () => eachSavedText((storage, key) => isAccounts(key) && storage.removeItem(key));

/** Nothing where storage is blocked. */
function eachSavedText(act: (storage: Storage, key: string) => unknown): void {
  try {
    for (const storage of [sessionStorage, localStorage]) for (const key of Object.keys(storage)) act(storage, key);
  } catch {}
}

type StorageKind = "session" | "local";

/**
 * Text in this browser's storage: for every account with a plain key, for the document's owner alone with `owned`. A
 * browser that refuses storage reads as empty and saves nothing.
 */
export function createSavedText(key: string | (() => string), kind: StorageKind = "session") {
  // Reading the property throws where storage is blocked, and on the server.
  const storage = () => (kind === "local" ? localStorage : sessionStorage);
  const name = () => (typeof key === "string" ? key : key());
  const read = (): string | null => {
    try {
      return storage().getItem(name());
    } catch {
      return null;
    }
  };
  /** `null` removes it. Returns false if the browser refused. */
  const write = (text: string | null): boolean => {
    try {
      if (text === null) storage().removeItem(name());
      else storage().setItem(name(), text);
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
export function createSavedValue<Value>(
  key: string | (() => string),
  parse: (json: unknown) => Value | null,
  kind?: StorageKind,
) {
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
