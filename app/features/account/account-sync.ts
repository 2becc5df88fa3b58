import { bffPaths, call, refusalOf } from "~/call";
import { createSavedText } from "~/ui/store";
import { type Account, type User, visitor } from "./account";

interface SyncOptions {
  account: Account;
  /** The server has answered; otherwise the saved account is used. */
  isKnown: boolean;
  onSaved(account: Account): void;
  onUser(user: User | null): void;
  /** Another tab logged out or logged in to another account. */
  onOtherTab(): void;
  onExpired(): void;
}

const staleMs = 60_000;

/** Saves the account in this browser and syncs it with other tabs, and with the server when the tab becomes visible. */
export function syncAccount({ account, isKnown, onSaved, onUser, onOtherTab, onExpired }: SyncOptions): () => void {
  if (isKnown) saved.write(JSON.stringify(account));
  else onSaved(parseSavedAccount(saved.read()));

  const unwatch = watchOtherTabs((phone) => phone !== account.phone && onOtherTab());
  const refresh = async () => {
    if (document.visibilityState !== "visible" || Date.now() - account.refreshedAt < staleMs) return;
    try {
      onUser((await call<{ user: User | null }>(bffPaths.account)).user);
    } catch (error) {
      if (refusalOf(error).code === "login-expired") onExpired();
    }
  };
  document.addEventListener("visibilitychange", refresh);
  return () => {
    unwatch();
    document.removeEventListener("visibilitychange", refresh);
  };
}

/** The provider removes it for visitors. */
const storageKey = "account";
const saved = createSavedText(storageKey, "local");

/** The saved account; a visitor if the text is not one. */
export function parseSavedAccount(text: string | null): Account {
  try {
    const json: unknown = JSON.parse(text ?? "null");
    if (typeof json !== "object" || json === null) return visitor;
    const fits = Object.entries(visitor).every(([name, value]) => typeof (json as never)[name] === typeof value);
    return fits ? (json as Account) : visitor;
  } catch {
    return visitor;
  }
}

/** Clearing the whole storage is ignored: it changes no session. */
function watchOtherTabs(onChange: (phone: string) => void): () => void {
  const read = ({ key, newValue, storageArea }: StorageEvent) => {
    if (key === storageKey && storageArea === localStorage) onChange(parseSavedAccount(newValue).phone);
  };
  window.addEventListener("storage", read);
  return () => window.removeEventListener("storage", read);
}
