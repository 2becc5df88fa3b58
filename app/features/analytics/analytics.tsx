import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { listenToAnalyticsEvents } from "~/analytics-events";
import { updatesCopy } from "~/copy/site";
import { Button } from "~/ui/button";
import { NoticeBar } from "~/ui/card";
import { createSavedText } from "~/ui/store";
import { createBaidu, createGtag, type UserTags, userTags, type Vendor } from "./vendors";

type Consent = "yes" | "no";

/** The visitor's answer in this browser; null before one. */
const savedConsent = createSavedText("analytics-consent", "local");

function readConsent(): Consent | null {
  const saved = savedConsent.read();
  return saved === "yes" || saved === "no" ? saved : null;
}

/** Pages that need no login: their address alone allows to act. */
const secretPages = "/v/";

interface AnalyticsProps {
  baiduId: string | null;
  baiduTags: string[];
  gtagId: string | null;
  hasRawPhone: boolean;
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
