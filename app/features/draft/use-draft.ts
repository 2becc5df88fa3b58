import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { keep, readDraft, readKept, writeDraft } from "./draft";

interface Stored<T> {
  words: Partial<T>;
  /** Which heavy fields this tab has put away. */
  kept: string[];
}

/**
 * What is being made on a page, back after a reload or a login. `heavy` names the fields that hold sound: they lie in
 * IndexedDB, the others in the session's storage. What was changed before the old draft arrived stays changed.
 */
export function useDraft<T extends object>(key: string, initial: T, heavy: readonly (keyof T & string)[] = []) {
  const [draft, setDraft] = useState(initial);
  const [isRestored, setRestored] = useState(false);
  const touched = useRef(new Set<string>());
  const fields = useRef(heavy);

  const change = useCallback(
    (fresh: Partial<T>) => {
      for (const name of Object.keys(fresh)) touched.current.add(name);
      setDraft((now) => ({ ...now, ...fresh }));
      for (const name of fields.current) if (name in fresh) void keep(`${key}-${name}`, fresh[name] ?? null);
    },
    [key],
  );

  useEffect(() => {
    let isGone = false;
    void restore<T>(key, fields.current).then((restored) => {
      if (isGone) return;
      // A plain update would throw away the parts that are still hydrating.
      startTransition(() => {
        const untouched = Object.entries(restored).filter(([name]) => !touched.current.has(name));
        setDraft((now) => ({ ...now, ...Object.fromEntries(untouched) }));
        setRestored(true);
      });
    });
    return () => {
      isGone = true;
    };
  }, [key]);

  useEffect(() => {
    if (isRestored) writeDraft(key, stored(draft, fields.current));
  }, [key, draft, isRestored]);

  return { draft, change, isRestored };
}

function stored<T extends object>(draft: T, heavy: readonly (keyof T & string)[]): Stored<T> {
  const words = Object.fromEntries(Object.entries(draft).filter(([name]) => !heavy.some((one) => one === name)));
  return { words: words as Partial<T>, kept: heavy.filter((name) => draft[name]) };
}

async function restore<T extends object>(key: string, heavy: readonly (keyof T & string)[]): Promise<Partial<T>> {
  const { words = {}, kept = [] } = readDraft<Stored<T>>(key) ?? {};
  const names = heavy.filter((name) => kept.includes(name));
  const sounds = await Promise.all(names.map(async (name) => [name, await readKept(`${key}-${name}`)]));
  return { ...words, ...Object.fromEntries(sounds) };
}
