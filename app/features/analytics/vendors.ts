import type { AnalyticsDetails, AnalyticsEvent } from "~/analytics-events";
import { tierTags } from "~/copy/account";
import { maskPhone } from "~/copy/format";

/** A statistics service; everything goes into its own queue, which its script empties once it is there. */
export interface Vendor {
  page(path: string): void;
  event(event: AnalyticsEvent, details: AnalyticsDetails): void;
  tags(tags: UserTags): void;
}
declare global {
  interface Window {
    _hmt?: { push(command: unknown[]): unknown };
    dataLayer?: { push(command: unknown): unknown };
  }
}

function load(src: string) {
  const script = document.createElement("script");
  script.async = true;
  script.src = src;
  document.head.append(script);
}

const eventCategory = "product";

/** Baidu Tongji. We report page views, because most navigations do not reload. `tagIds`: tier, expiry, phone. */
export function createBaidu(id: string, tagIds: string[]): Vendor {
  window._hmt ??= [];
  const push = (...command: unknown[]) => window._hmt?.push(command);
  push("_setAutoPageview", false);
  load(`https://hm.baidu.com/hm.js?${id}`);
  return {
    page: (path) => push("_trackPageview", path),
    event: (event, details) => push("_trackEvent", eventCategory, event, Object.values(details).join(" ")),
    tags({ tier, expiry, phone }) {
      for (const [i, value] of [tier, expiry, phone].entries()) {
        if (tagIds[i] && value) push("_setUserTag", tagIds[i], value);
      }
      push("_setCustomVar", 1, "tier", tier, 1);
      if (expiry) push("_setCustomVar", 2, "expiry", expiry, 1);
      if (phone) push("_setCustomVar", 3, "phone", phone, 1);
    },
  };
}

/** Google tag: it reads `arguments` objects out of its queue and overlooks arrays. */
export function createGtag(id: string): Vendor {
  window.dataLayer ??= [];
  function gtag(..._command: unknown[]) {
    // biome-ignore lint/complexity/noArguments: the vendor tells commands from other entries by it
    window.dataLayer?.push(arguments);
  }
  gtag("js", new Date());
  gtag("config", id, { send_page_view: false });
  load(`https://www.googletagmanager.com/gtag/js?id=${id}`);
  return {
    page: (path) =>
      gtag("event", "page_view", {
        page_path: path,
        page_location: window.location.origin + path,
        page_title: document.title,
      }),
    event: (event, details) => gtag("event", event, details),
    tags: (tags) => gtag("set", "user_properties", tags),
  };
}

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
