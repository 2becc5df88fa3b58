import { bffPaths, call } from "~/call";
import { createSavedText } from "~/ui/store";
import type { User } from "~server/bff/accounts.server";

export type { User };
export type Bucket = keyof NonNullable<User["quota"]>;

/** The local user state of specification section 3, without the token, which never reaches the browser. */
export interface Account {
  isLogin: boolean;
  isVip: boolean;
  isSvip: boolean;
  isMonthly: boolean;
  phone: string;
  /** Unix seconds. */
  vipExpire: number;
  svipExpire: number;
  tryNum: number;
  /** Beyond the specification: characters of all buckets. */
  charactersLeft: number;
  /** When the server answered, Unix milliseconds. */
  refreshedAt: number;
}

interface SyncOptions {
  account: Account;
  /** The server has answered; otherwise the saved account is used. */
  isKnown: boolean;
  onSaved(account: Account): void;
  onUser(user: User): void;
  /** Another tab logged out, logged in to another account, received a payment or used characters. */
  onOtherTab(): void;
}

const staleMs = 60_000;
/** Fields whose change in another tab, by a login, a payment or a generation, reloads this tab's data. */
const synced = ["phone", "vipExpire", "svipExpire", "charactersLeft"] as const;

/** The account; null for visitors. Throws Refused; an expired login leaves for the login page. */
export const readUser = async () => (await call<{ user: User | null }>(bffPaths.account)).user;

/** Saves the account in this browser and syncs it with other tabs, and with the server when the tab becomes visible. */
export function syncAccount({ account, isKnown, onSaved, onUser, onOtherTab }: SyncOptions): () => void {
  if (isKnown) saved.write(JSON.stringify(account));
  else {
    const known = parseSavedAccount(saved.read(), account);
    if (known) onSaved(known);
  }

  const unwatch = watchOtherTabs(
    account,
    (other) => synced.some((name) => other?.[name] !== account[name]) && onOtherTab(),
  );
  const refresh = async () => {
    if (document.visibilityState !== "visible" || Date.now() - account.refreshedAt < staleMs) return;
    const known = await readUser().catch(() => undefined);
    if (known === undefined) return;
    if (known?.phone === account.phone) onUser(known);
    else onOtherTab();
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

/** The saved account; null if the text does not have the fields of `like`. */
export function parseSavedAccount(text: string | null, like: Account): Account | null {
  try {
    const json: unknown = JSON.parse(text ?? "null");
    if (typeof json !== "object" || json === null) return null;
    const fits = Object.entries(like).every(([name, value]) => typeof (json as never)[name] === typeof value);
    return fits ? (json as Account) : null;
  } catch {
    return null;
  }
}

/** Clearing the whole storage is ignored: it changes no session. */
function watchOtherTabs(account: Account, onChange: (other: Account | null) => void): () => void {
  const read = ({ key, newValue, storageArea }: StorageEvent) => {
    if (key === storageKey && storageArea === localStorage) onChange(parseSavedAccount(newValue, account));
  };
  window.addEventListener("storage", read);
  return () => window.removeEventListener("storage", read);
}
