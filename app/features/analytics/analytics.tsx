import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { listenToDeeds } from "~/analytics-events";
import { updatesCopy } from "~/copy/site";
import { Button } from "~/ui/button";
import { NoticeBar } from "~/ui/notice-bar";
import { createBaidu, createGtag, type UserTags, userTags, type Vendor } from "./vendors";

interface AnalyticsProps {
  baiduId: string | null;
  baiduTags: string[];
  gtagId: string | null;
  hasRawPhone: boolean;
  account: Parameters<typeof userTags>[0];
}

/** Asks whether visits may be counted, and counts them once somebody says yes. Nothing of the vendors loads before. */
export function Analytics({ account, hasRawPhone, ...ids }: AnalyticsProps) {
  const [consent, setConsent] = useState(readConsent);
  const decide = (next: Consent) => {
    keepConsent(next);
    setConsent(next);
  };
  if (consent === "yes") return <Counting {...ids} tags={userTags(account, hasRawPhone)} />;
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

interface CountingProps extends Pick<AnalyticsProps, "baiduId" | "baiduTags" | "gtagId"> {
  tags: UserTags;
}

function Counting({ tags: { tier, expiry, phone }, ...ids }: CountingProps) {
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
      listenToDeeds((deed, details) => {
        for (const vendor of vendors) vendor.deed(deed, details);
      }),
    [vendors],
  );
  return null;
}

/** Once a page: each vendor's queue and script live as long as it does. */
let started: Vendor[] | null = null;

function startVendors({ baiduId, baiduTags, gtagId }: Omit<CountingProps, "tags">): Vendor[] {
  started ??= [...(baiduId ? [createBaidu(baiduId, baiduTags)] : []), ...(gtagId ? [createGtag(gtagId)] : [])];
  return started;
}

export type Consent = "yes" | "no";

const key = "analytics-consent";

/** What was answered in this browser; null until somebody did, or where it cannot be kept. */
export function readConsent(): Consent | null {
  try {
    const kept = localStorage.getItem(key);
    return kept === "yes" || kept === "no" ? kept : null;
  } catch {
    return null;
  }
}

export function keepConsent(consent: Consent) {
  try {
    localStorage.setItem(key, consent);
  } catch {}
}
