import { maskPhone, tierTags } from "~/copy/account";

interface Person {
  isLogin: boolean;
  isVip: boolean;
  isSvip: boolean;
  phone: string;
  vipExpire: number;
  svipExpire: number;
}

/** What the vendors learn about who it is; "" is nothing. */
export interface UserTags {
  tier: string;
  /** Day of the tier in use, YYYY-MM-DD in China. */
  expiry: string;
  phone: string;
}

export function userTags(person: Person, hasRawPhone: boolean): UserTags {
  const { isLogin, isVip, isSvip, phone, vipExpire, svipExpire } = person;
  if (!isLogin) return { tier: tierTags.visitor, expiry: "", phone: "" };
  const tier = isSvip ? tierTags.svip : isVip ? tierTags.vip : tierTags.none;
  const expire = isSvip ? svipExpire : isVip ? vipExpire : 0;
  return { tier, expiry: expire ? dayOf(expire) : "", phone: hasRawPhone ? phone : maskPhone(phone) };
}

const dayOf = (seconds: number) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai", dateStyle: "short" }).format(seconds * 1000);
