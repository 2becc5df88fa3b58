import { accountCopy, formatExpiry } from "~/copy/account";
import { subscribePageCopy } from "~/copy/pages";
import { shownTiers, toMeters } from "~/features/account/account";
import { Card } from "~/ui/card";
import { ProgressBar } from "~/ui/progress-bar";
import type { User } from "~server/bff/accounts.server";

/** What the account has now: both tiers, the professional first, and the month's characters. */
export function Membership({ user }: { user: User }) {
  const now = Date.now() / 1000;
  const states = shownTiers(user).map(({ tier, expire }) => ({ tier, left: formatExpiry(expire, now) }));
  const meters = toMeters(user, now);
  return (
    <section aria-labelledby="membership">
      <Card className="p-5 md:p-6">
        <h2 className="font-song text-xl font-semibold" id="membership">
          {subscribePageCopy.mine}
        </h2>
        <ul className="mt-2 grid gap-1">
          {states.length === 0 && <li className="text-muted">{subscribePageCopy.noMembership}</li>}
          {states.map(({ tier, left }) => (
            <li className={tier === "svip" ? "text-gold" : ""} key={tier} suppressHydrationWarning>
              {`${accountCopy.tiers[tier]} · ${left}`}
            </li>
          ))}
        </ul>
        {meters.length > 0 && (
          <dl className="mt-4 grid gap-4 md:grid-cols-3">
            {meters.map(({ bucket, total, left }) => (
              <div key={bucket}>
                <dt className="text-sm">{accountCopy.buckets[bucket]}</dt>
                <dd className="tabular mt-1 text-xs text-muted">
                  <ProgressBar label={accountCopy.buckets[bucket]} value={left / total} />
                  <span className="mt-1 block">{accountCopy.left(left, total)}</span>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
    </section>
  );
}
