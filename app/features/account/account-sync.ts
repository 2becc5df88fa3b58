import { bffPaths } from "~/bff-paths";
import { call, refusalOf } from "~/call";
import { type Account, nobody, type User } from "./account";

interface Following {
  account: Account;
  /** The server has answered; otherwise what is kept in this browser has to do. */
  isKnown: boolean;
  onKept(account: Account): void;
  onUser(user: User | null): void;
  /** Another tab logged out, or in as somebody else. */
  onOtherTab(): void;
  onExpired(): void;
}

const staleMs = 60_000;

/** Keeps the account in this browser, and up to date: with the other tabs, and with the server when a tab comes back. */
export function follow({ account, isKnown, onKept, onUser, onOtherTab, onExpired }: Following): () => void {
  if (isKnown) keepAccount(account);
  else onKept(readKeptAccount());

  const unwatch = watchOtherTabs((phone) => phone !== account.phone && onOtherTab());
  const lookAgain = async () => {
    if (document.visibilityState !== "visible" || Date.now() - account.refreshedAt < staleMs) return;
    try {
      onUser((await call<{ user: User | null }>(bffPaths.account)).user);
    } catch (error) {
      if (refusalOf(error).code === "login-expired") onExpired();
    }
  };
  document.addEventListener("visibilitychange", lookAgain);
  return () => {
    unwatch();
    document.removeEventListener("visibilitychange", lookAgain);
  };
}

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
