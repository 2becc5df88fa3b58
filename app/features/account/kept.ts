import { type Account, nobody } from "./account";

/** The provider forgets it under the same name when nobody is logged in. */
const storageKey = "account";

/** What an earlier answer of the server left in this browser; only until the next one. */
export function readKeptAccount(): Account {
  try {
    return parseKept(localStorage.getItem(storageKey));
  } catch {
    return nobody;
  }
}

/** Whatever is kept is read as if somebody else had written it. */
export function parseKept(text: string | null): Account {
  try {
    const kept: unknown = JSON.parse(text ?? "null");
    if (typeof kept !== "object" || kept === null) return nobody;
    const fits = Object.entries(nobody).every(([name, value]) => typeof (kept as never)[name] === typeof value);
    return fits ? (kept as Account) : nobody;
  } catch {
    return nobody;
  }
}

export function keepAccount(account: Account) {
  try {
    localStorage.setItem(storageKey, JSON.stringify(account));
  } catch {}
}

/** Tells when another tab logs in, out, or changes the account. Clearing the whole storage changes nobody's session. */
export function watchOtherTabs(onChange: (phone: string) => void): () => void {
  const follow = ({ key, newValue, storageArea }: StorageEvent) => {
    if (key === storageKey && storageArea === localStorage) onChange(parseKept(newValue).phone);
  };
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}
