/** The account as the server reports it; expiries in Unix seconds, quotas in characters. */
export interface User {
  phone: string;
  vipExpire: number;
  svipExpire: number;
  isMonthly: boolean;
  tryNum: number;
  tryMax: number;
  quota: Record<Bucket, { total: number; used: number; left: number }> | null;
}

export type Bucket = "svip" | "vip" | "pack";

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
  /** When the server answered, Unix milliseconds. */
  refreshedAt: number;
}

export const visitor: Account = {
  isLogin: false,
  isVip: false,
  isSvip: false,
  isMonthly: false,
  phone: "",
  vipExpire: 0,
  svipExpire: 0,
  tryNum: 0,
  refreshedAt: 0,
};

export interface CharacterMeter {
  bucket: Bucket;
  total: number;
  left: number;
}

const meterOrder: readonly Bucket[] = ["svip", "vip", "pack"];

/** The characters that can be used now. An inactive tier has a meter only while it has characters left. */
export function toMeters({ quota, vipExpire, svipExpire }: User, nowSeconds: number): CharacterMeter[] {
  const running = svipExpire > nowSeconds ? "svip" : vipExpire > nowSeconds ? "vip" : null;
  return meterOrder.flatMap((bucket) => {
    const { total = 0, left = 0 } = quota?.[bucket] ?? {};
    const isUsable = bucket === running || bucket === "pack" || left > 0;
    return total > 0 && isUsable ? [{ bucket, total, left }] : [];
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
    refreshedAt: nowMs,
  };
}
