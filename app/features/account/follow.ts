import { bffPaths } from "~/bff-paths";
import { call, refusalOf } from "~/call";
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
