import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { tierTags } from "~/copy/account";
import { maskPhone } from "~/copy/format";
import { updatesCopy } from "~/copy/site";
import { type AnalyticsDetails, type AnalyticsEvent, listenToAnalyticsEvents } from "~/state/analytics-events";
import { Button } from "~/ui/button";
import { NoticeBar } from "~/ui/card";
import { createSavedText } from "~/ui/store";

type Consent = "yes" | "no";

/** The visitor's answer in this browser; null before one. */
const savedConsent = createSavedText("analytics-consent", "local");

function readConsent(): Consent | null {
  const saved = savedConsent.read();
  return saved === "yes" || saved === "no" ? saved : null;
}

/** Pages that need no login: their address alone allows to act. */
const secretPages = "/v/";

export interface AnalyticsIds {
  baiduId: string | null;
  baiduTags: string[];
  gtagId: string | null;
  hasRawPhone: boolean;
}

interface AnalyticsProps extends AnalyticsIds {
  account: Parameters<typeof userTags>[0];
}

/** Asks for consent to analytics. The vendors load only after the visitor consents. */
export function Analytics({ account, hasRawPhone, ...ids }: AnalyticsProps) {
  const { pathname } = useLocation();
  const [consent, setConsent] = useState(readConsent);
  const decide = (next: Consent) => {
    savedConsent.write(next);
    setConsent(next);
  };
  // The vendors' scripts read the address, which is a secret there.
  if (pathname.startsWith(secretPages)) return null;
  if (consent === "yes") return <Vendors {...ids} tags={userTags(account, hasRawPhone)} />;
  return consent === null ? <ConsentBar onDecide={decide} /> : null;
}

function ConsentBar({ onDecide }: { onDecide(consent: Consent): void }) {
  const { label, text, yes, no } = updatesCopy.consent;
  return (
    <NoticeBar label={label} text={text}>
      <Button onClick={() => onDecide("no")}>{no}</Button>
      <Button onClick={() => onDecide("yes")}>{yes}</Button>
    </NoticeBar>
  );
}

interface VendorsProps extends Pick<AnalyticsProps, "baiduId" | "baiduTags" | "gtagId"> {
  tags: UserTags;
}

function Vendors({ tags: { tier, expiry, phone }, ...ids }: VendorsProps) {
  const [vendors] = useState(() => startVendors(ids));
  const { pathname } = useLocation();
  useEffect(() => {
    for (const vendor of vendors) vendor.tags({ tier, expiry, phone });
  }, [vendors, tier, expiry, phone]);
  useEffect(() => {
    for (const vendor of vendors) vendor.page(pathname);
  }, [vendors, pathname]);
  useEffect(
    () =>
      listenToAnalyticsEvents((event, details) => {
        for (const vendor of vendors) vendor.event(event, details);
      }),
    [vendors],
  );
  return null;
}

/** Created once per document: a vendor's queue and script cannot be removed. */
let started: Vendor[] | null = null;

function startVendors({ baiduId, baiduTags, gtagId }: Omit<VendorsProps, "tags">): Vendor[] {
  started ??= [...(baiduId ? [createBaidu(baiduId, baiduTags)] : []), ...(gtagId ? [createGtag(gtagId)] : [])];
  return started;
}

/** A statistics service; everything goes into its own queue, which its script empties once it is there. */
interface Vendor {
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
function createBaidu(id: string, tagIds: string[]): Vendor {
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
function createGtag(id: string): Vendor {
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

/** Account tags sent to the analytics vendors; "" is not sent. */
interface UserTags {
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
