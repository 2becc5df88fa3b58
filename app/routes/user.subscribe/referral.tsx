import { subscribePageCopy } from "~/copy/subscribe";
import { CopyButton } from "~/features/checkout/order-numbers";
import { paths } from "~/paths";
import { Card } from "~/ui/card";
import type { Referral } from "~server/bff/accounts.server";

const copy = subscribePageCopy.referral;

/** The account's link for others, and what it brings. */
export function ReferralCard({ referral, siteUrl }: { referral: Referral; siteUrl: string }) {
  const { code, characters, monthMax, rewarded } = referral;
  const link = new URL(paths.referred(code), siteUrl).href;
  return (
    <section aria-labelledby="referral">
      <Card className="p-5 md:p-6">
        <h2 className="font-song text-xl font-semibold" id="referral">
          {copy.heading}
        </h2>
        <p className="mt-2 max-w-[50em] text-sm text-muted">{copy.sentence(characters)}</p>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <span className="min-w-0 break-all rounded border border-line px-3 py-2.5 text-sm" translate="no">
            {link}
          </span>
          <CopyButton text={() => link}>{copy.copy}</CopyButton>
        </div>
        <p className="tabular mt-3 text-xs text-muted">{copy.month(rewarded, monthMax)}</p>
      </Card>
    </section>
  );
}
