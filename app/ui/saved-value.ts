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
