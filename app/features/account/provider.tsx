import { createContext, type ReactNode, startTransition, useContext, useEffect, useState } from "react";
import { createSavedText } from "~/ui/store";
import { type Account, toAccount, type User } from "./account";

interface Known {
  account: Account;
  /** From the server; null for visitors, undefined if it could not read the logged-in account. */
  user: User | null | undefined;
}

const knownOf = (user: User | null | undefined): Known => ({ user, account: toAccount(user ?? null, Date.now()) });

const AccountContext = createContext(knownOf(null));
export const useAccount = () => useContext(AccountContext);

interface AccountProviderProps {
  /** From the root's loader; a newer value replaces what is known. */
  user: User | null | undefined;
  /** Another tab logged out or logged in to another account. */
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
    if (known.user === null) return watchLogin(onOtherTab);
    let stop: (() => void) | null = null;
    let isStopped = false;
    // A transition, because an urgent update would restart the hydration of the menu.
    const set = (next: Known) => startTransition(() => setState((now) => ({ ...now, known: next })));
    const begin = ({ syncAccount }: typeof import("./account-sync")) => {
      if (isStopped) return;
      const { account, user } = known;
      const onSaved = (saved: Account) => saved.isLogin && !account.isLogin && set({ user, account: saved });
      stop = syncAccount({
        account,
        isKnown: user !== undefined,
        onSaved,
        onUser: (next) => set(knownOf(next)),
        onOtherTab,
        onExpired,
      });
    };
    import("./account-sync").then(begin, () => {});
    return () => {
      isStopped = true;
      stop?.();
    };
  }, [known, onOtherTab, onExpired]);

  return <AccountContext.Provider value={known}>{children}</AccountContext.Provider>;
}

/** Removes the saved account and reports a login in another tab. */
function watchLogin(onLogin: () => void): () => void {
  createSavedText("account", "local").write(null);
  const read = ({ key, newValue }: StorageEvent) => key === "account" && newValue && onLogin();
  window.addEventListener("storage", read);
  return () => window.removeEventListener("storage", read);
}
