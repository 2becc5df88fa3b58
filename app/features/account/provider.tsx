import { createContext, type ReactNode, startTransition, useContext, useEffect, useState } from "react";
import { type Account, toAccount, type User } from "./account";

interface Known {
  account: Account;
  /** The server's own answer; null for visitors, undefined when somebody is logged in and the server cannot say more. */
  user: User | null | undefined;
}

const knownOf = (user: User | null | undefined): Known => ({ user, account: toAccount(user ?? null, Date.now()) });

const AccountContext = createContext(knownOf(null));
export const useAccount = () => useContext(AccountContext);

interface AccountProviderProps {
  /** From the root's loader, whose newest answer always wins. */
  user: User | null | undefined;
  /** Another tab logged out, or in as somebody else. */
  onOtherTab(): void;
  onExpired(): void;
  children: ReactNode;
}

export function AccountProvider({ user: loaded, onOtherTab, onExpired, children }: AccountProviderProps) {
  const [state, setState] = useState({ loaded, known: knownOf(loaded) });
  const isNew = state.loaded !== loaded;
  const { known } = isNew ? { known: knownOf(loaded) } : state;
  if (isNew) setState({ loaded, known });

  useEffect(() => {
    if (known.user === null) return followLogin(onOtherTab);
    let stop: (() => void) | null = null;
    let isGone = false;
    // In a transition: the menu may still be hydrating, and a plain update would make it start anew.
    const set = (next: Known) => startTransition(() => setState((now) => ({ ...now, known: next })));
    const begin = ({ follow }: typeof import("./account-sync")) => {
      if (isGone) return;
      const { account, user } = known;
      const onKept = (kept: Account) => kept.isLogin && !account.isLogin && set({ user, account: kept });
      stop = follow({
        account,
        isKnown: user !== undefined,
        onKept,
        onUser: (next) => set(knownOf(next)),
        onOtherTab,
        onExpired,
      });
    };
    import("./account-sync").then(begin, () => {});
    return () => {
      isGone = true;
      stop?.();
    };
  }, [known, onOtherTab, onExpired]);

  return <AccountContext.Provider value={known}>{children}</AccountContext.Provider>;
}

/** A visitor leaves nothing behind, and hears of it when somebody logs in in another tab. */
function followLogin(onLogin: () => void): () => void {
  try {
    localStorage.removeItem("account");
  } catch {}
  const follow = ({ key, newValue }: StorageEvent) => key === "account" && newValue && onLogin();
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}
