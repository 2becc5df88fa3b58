import { bffPaths } from "~/bff-paths";
import type { Account, User } from "./account";
import { keepAccount, readKeptAccount, watchOtherTabs } from "./kept";

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
    const response = await fetch(bffPaths.account).catch(() => null);
    if (response?.status === 401) return onExpired();
    const body = (await response?.json().catch(() => null)) as { user?: User | null } | null | undefined;
    if (body?.user !== undefined) onUser(body.user);
  };
  document.addEventListener("visibilitychange", lookAgain);
  return () => {
    unwatch();
    document.removeEventListener("visibilitychange", lookAgain);
  };
}
