/** What the server tells of an account; expiries are Unix seconds, quotas characters. */
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

/** The local user state of specification section 3, but for the token: that one never reaches the browser. */
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
  /** Unix milliseconds of the server's answer. */
  refreshedAt: number;
}

export const nobody: Account = {
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

/** The characters that can be used now. A tier that waits or is over has a meter only while the server leaves it some. */
export function toMeters({ quota, vipExpire, svipExpire }: User, nowSeconds: number): CharacterMeter[] {
  const running = svipExpire > nowSeconds ? "svip" : vipExpire > nowSeconds ? "vip" : null;
  return meterOrder.flatMap((bucket) => {
    const { total = 0, left = 0 } = quota?.[bucket] ?? {};
    const isUsable = bucket === running || bucket === "pack" || left > 0;
    return total > 0 && isUsable ? [{ bucket, total, left }] : [];
  });
}

/**
 * The memberships to show, the professional first. A normal one that ends before it counts for nothing (specification
 * section 4); one that is over is shown as such.
 */
export function shownTiers({ vipExpire, svipExpire }: Pick<User, "vipExpire" | "svipExpire">) {
  return [
    { tier: "svip" as const, expire: svipExpire },
    { tier: "vip" as const, expire: vipExpire < svipExpire ? 0 : vipExpire },
  ].filter(({ expire }) => expire > 0);
}

/** Specification section 4. The professional tier is used first, so a normal one that ends before it counts for nothing. */
export function toAccount(user: User | null, nowMs: number): Account {
  if (!user) return nobody;
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
