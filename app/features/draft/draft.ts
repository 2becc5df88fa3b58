import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import {
  claimedKey,
  createSavedValue,
  forgetSavedTexts,
  isAccounts,
  isAccountsDocument,
  owned,
  ownedKey,
} from "~/ui/store";

const savedObject = <T extends object>(key: string) =>
  createSavedValue(owned(key), (json) => (typeof json === "object" ? (json as Partial<T> | null) : null));

/** A JSON object from the session storage; null without one, and if storage is unavailable. */
export const readSessionValue = <T extends object>(key: string) => savedObject<T>(key).read();

/** Does nothing if storage is full or unavailable. */
export const writeSessionValue = (key: string, value: object) => void savedObject(key).write(value);

let opening: Promise<typeof import("idb-keyval")> | null = null;

/** Opened once per document; an account's document takes over what a visitor stored before the login. */
function database() {
  opening ??= import("idb-keyval").then(async (opened) => {
    // A full disk leaves the values where they are.
    if (isAccountsDocument()) await claimValues(opened).catch(() => {});
    return opened;
  });
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

/** In one transaction, so that each value is taken over once. A list goes before the account's, other values replace it. */
const claimValues = ({ createStore, promisifyRequest }: typeof import("idb-keyval")) =>
  createStore("keyval-store", "keyval")("readwrite", async (store) => {
    for (const key of await promisifyRequest(store.getAllKeys())) {
      const own = claimedKey(String(key));
      if (own === null) continue;
      const claimed = await promisifyRequest(store.get(key));
      const present = await promisifyRequest(store.get(own));
      const areLists = Array.isArray(claimed) && Array.isArray(present);
      store.put(areLists ? [...claimed, ...present] : claimed, own);
      store.delete(key);
    }
    return promisifyRequest(store.transaction);
  });

/** Gives the account what a visitor stored before the login, also if no page that reads it is opened. */
export const claimStoredValues = () => void database().catch(() => {});

/** Removes what a deleted account saved in this browser. */
export async function forgetSavedWork(): Promise<void> {
  forgetSavedTexts();
  const { keys, delMany } = await database();
  await delMany((await keys()).filter((key) => isAccounts(String(key))));
}

/** A value from IndexedDB; null without one, and if IndexedDB is unavailable. */
export async function readStoredValue<T>(key: string): Promise<T | null> {
  try {
    return (await (await database()).get<T>(ownedKey(key))) ?? null;
  } catch {
    return null;
  }
}

/** Writes to IndexedDB; null deletes. Returns false if IndexedDB is full or unavailable. */
export async function writeStoredValue(key: string, value: unknown): Promise<boolean> {
  try {
    const { set, del } = await database();
    await (value === null ? del(ownedKey(key)) : set(ownedKey(key), value));
    return true;
  } catch {
    return false;
  }
}

/** Changes a value in IndexedDB in one transaction, so that no change of another tab is lost. Returns false if it failed. */
export async function updateStoredValue<T>(key: string, change: (stored: T | null) => T): Promise<boolean> {
  try {
    const { update } = await database();
    await update<T>(ownedKey(key), (stored) => change(stored ?? null));
    return true;
  } catch {
    return false;
  }
}

/** The session value of a draft. The field names are stored. */
interface StoredDraft<T> {
  words: Partial<T>;
  /** The binary fields with a value in IndexedDB. */
  kept: string[];
}

/**
 * A form's state that survives a reload or a login. `binaryFields` are stored in IndexedDB, the others in the session
 * storage. Fields that change before the stored draft is loaded keep their new values.
 */
export function useDraft<T extends object>(key: string, initial: T, binaryFields: readonly (keyof T & string)[] = []) {
  const [draft, setDraft] = useState(initial);
  const [isRestored, setRestored] = useState(false);
  const changed = useRef(new Set<string>());
  const fields = useRef(binaryFields);

  const change = useCallback(
    (fresh: Partial<T>) => {
      for (const name of Object.keys(fresh)) changed.current.add(name);
      setDraft((now) => ({ ...now, ...fresh }));
      for (const name of fields.current)
        if (name in fresh) void writeStoredValue(`${key}-${name}`, fresh[name] ?? null);
    },
    [key],
  );

  useEffect(() => {
    let isCancelled = false;
    void readDraft<T>(key, fields.current).then((stored) => {
      if (isCancelled) return;
      // An urgent update would discard parts of the page that are still hydrating.
      startTransition(() => {
        const unchanged = Object.entries(stored).filter(([name]) => !changed.current.has(name));
        setDraft((now) => ({ ...now, ...Object.fromEntries(unchanged) }));
        setRestored(true);
      });
    });
    return () => {
      isCancelled = true;
    };
  }, [key]);

  useEffect(() => {
    // An untouched form must not take the place of an account's draft at the next login.
    if (isRestored && changed.current.size > 0) writeSessionValue(key, toStoredDraft(draft, fields.current));
  }, [key, draft, isRestored]);

  return { draft, change, isRestored };
}

function toStoredDraft<T extends object>(draft: T, binaryFields: readonly (keyof T & string)[]): StoredDraft<T> {
  const words = Object.fromEntries(Object.entries(draft).filter(([name]) => !binaryFields.some((one) => one === name)));
  return { words: words as Partial<T>, kept: binaryFields.filter((name) => draft[name]) };
}

async function readDraft<T extends object>(key: string, binaryFields: readonly (keyof T & string)[]) {
  const { words = {}, kept = [] } = readSessionValue<StoredDraft<T>>(key) ?? {};
  const names = binaryFields.filter((name) => kept.includes(name));
  const values = await Promise.all(names.map(async (name) => [name, await readStoredValue(`${key}-${name}`)]));
  return { ...words, ...Object.fromEntries(values) } as Partial<T>;
}
