import { createContext, type ReactNode, startTransition, useContext, useEffect, useState } from "react";
import { createSavedText } from "~/ui/store";
import type { Account, Bucket, User } from "./account-sync";

export type { Account, Bucket, User };

export const visitor: Account = {
  isLogin: false,
  isVip: false,
  isSvip: false,
  isMonthly: false,
  phone: "",
  vipExpire: 0,
  svipExpire: 0,
  tryNum: 0,
  charactersLeft: 0,
  refreshedAt: 0,
};

export interface CharacterMeter {
  bucket: Bucket;
  total: number;
  left: number;
  /** Unix seconds; 0 for an upstream that does not say. */
  endsAt: number;
}

const meterOrder: readonly Bucket[] = ["svip", "vip", "pack"];

/**
 * The characters that can be used now, a used pack left out; by kind for an upstream without ends, where an inactive tier
 * has a meter only while it has characters left.
 */
export function toMeters({ quota, buckets, vipExpire, svipExpire }: User, nowSeconds: number): CharacterMeter[] {
  if (buckets.length > 0) return buckets.filter(({ bucket, left }) => bucket !== "pack" || left > 0);
  const running = svipExpire > nowSeconds ? "svip" : vipExpire > nowSeconds ? "vip" : null;
  return meterOrder.flatMap((bucket) => {
    const { total = 0, left = 0 } = quota?.[bucket] ?? {};
    const isUsable = bucket === running || bucket === "pack" || left > 0;
    return total > 0 && isUsable ? [{ bucket, total, left, endsAt: 0 }] : [];
  });
}

/** The memberships to show, professional first; without a normal one that ends earlier (specification section 4). */
export function shownTiers({ vipExpire, svipExpire }: Pick<User, "vipExpire" | "svipExpire">) {
  return [
    { tier: "svip" as const, expire: svipExpire },
    { tier: "vip" as const, expire: vipExpire < svipExpire ? 0 : vipExpire },
  ].filter(({ expire }) => expire > 0);
}

/** Specification section 4. The professional tier is used first, so a normal one that ends before it counts for nothing. */
export function toAccount(user: User | null, nowMs: number): Account {
  if (!user) return visitor;
  const { phone, vipExpire, svipExpire, isMonthly, tryNum } = user;
  const now = nowMs / 1000;
  return {
    isLogin: phone !== "",
    isVip: vipExpire > now && vipExpire >= svipExpire,
    isSvip: svipExpire > now,
    isMonthly,
    phone,
    vipExpire,
    svipExpire,
    tryNum,
    charactersLeft: Object.values(user.quota ?? {}).reduce((sum, { left }) => sum + left, 0),
    refreshedAt: nowMs,
  };
}

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
  /** Another tab logged out, logged in to another account, received a payment or used characters. */
  onOtherTab(): void;
  children: ReactNode;
}

export function AccountProvider({ user: loaded, onOtherTab, children }: AccountProviderProps) {
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
      });
    };
    import("./account-sync").then(begin, () => {});
    return () => {
      isStopped = true;
      stop?.();
    };
  }, [known, onOtherTab]);

  return <AccountContext.Provider value={known}>{children}</AccountContext.Provider>;
}

function watchLogin(onLogin: () => void): () => void {
  createSavedText("account", "local").write(null);
  const read = ({ key, newValue }: StorageEvent) => key === "account" && newValue && onLogin();
  window.addEventListener("storage", read);
  return () => window.removeEventListener("storage", read);
}
