import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { paths } from "~/paths";
import { type Account, nobody, toAccount, type User } from "./account";
import { keepAccount, readKeptAccount, watchOtherTabs } from "./kept";

interface Known {
  account: Account;
  /** The server's own answer; null for visitors, and while the server cannot say. */
  user: User | null;
  /** Asks the server afresh, after a payment or in a tab that was away. */
  refresh(): Promise<void>;
}

const AccountContext = createContext<Known>({ account: nobody, user: null, refresh: async () => {} });
export const useAccount = () => useContext(AccountContext);

interface AccountProviderProps {
  /** From the root's loader; undefined when somebody is logged in and the server cannot say more. */
  user: User | null | undefined;
  /** Another tab logged in or out. */
  onOtherTab(): void;
  onExpired(): void;
  children: ReactNode;
}

const staleMs = 60_000;

export function AccountProvider({ user: loaded, onOtherTab, onExpired, children }: AccountProviderProps) {
  const [answer, setAnswer] = useState({ loaded, user: loaded, at: Date.now() });
  // A newer answer of the loader wins over what was fetched in between.
  const { user, at } = answer.loaded === loaded ? answer : { user: loaded, at: Date.now() };
  if (answer.loaded !== loaded) setAnswer({ loaded, user, at });

  const [kept, setKept] = useState(nobody);
  useEffect(() => {
    if (user === undefined) setKept(readKeptAccount());
  }, [user]);
  const account = useMemo(() => (user === undefined ? kept : toAccount(user, at)), [user, at, kept]);

  const refresh = useCallback(async () => {
    const response = await fetch(paths.account).catch(() => null);
    if (response?.status === 401) return onExpired();
    const body = (await response?.json().catch(() => null)) as { user?: User | null } | null | undefined;
    if (body?.user !== undefined) setAnswer((now) => ({ ...now, user: body.user, at: Date.now() }));
  }, [onExpired]);

  useEffect(() => {
    if (user !== undefined) keepAccount(account);
  }, [user, account]);
  useEffect(() => watchOtherTabs((phone) => phone !== account.phone && onOtherTab()), [account.phone, onOtherTab]);
  useEffect(() => {
    if (!account.isLogin) return;
    const lookAgain = () => {
      if (document.visibilityState === "visible" && Date.now() - account.refreshedAt > staleMs) void refresh();
    };
    document.addEventListener("visibilitychange", lookAgain);
    return () => document.removeEventListener("visibilitychange", lookAgain);
  }, [account, refresh]);

  const known = useMemo(() => ({ account, user: user ?? null, refresh }), [account, user, refresh]);
  return <AccountContext.Provider value={known}>{children}</AccountContext.Provider>;
}
