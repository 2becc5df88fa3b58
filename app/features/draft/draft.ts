/**
 * What a visitor made and has not used yet, kept in this browser: words in the session's storage, sound in IndexedDB.
 * Storage may be full or forbidden; then the draft lives as long as the page.
 */
export function readDraft<T extends object>(key: string): Partial<T> | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return typeof value === "object" && value !== null ? (value as Partial<T>) : null;
  } catch {
    return null;
  }
}

export function writeDraft(key: string, value: object) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {}
}

const database = () => import("idb-keyval");

export async function readKept<T>(key: string): Promise<T | null> {
  try {
    return (await (await database()).get<T>(key)) ?? null;
  } catch {
    return null;
  }
}

/** null forgets it. */
export async function keep(key: string, value: unknown): Promise<void> {
  try {
    const { set, del } = await database();
    await (value === null ? del(key) : set(key, value));
  } catch {}
}
