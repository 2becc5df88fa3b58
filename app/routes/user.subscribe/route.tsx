import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { accountCopy, formatExpiry } from "~/copy/account";
import { subscribePageCopy } from "~/copy/pages";
import { shownTiers, toMeters } from "~/features/account/account";
import { pageMeta } from "~/features/layout/page";
import { Card } from "~/ui/card";
import { ProgressBar } from "~/ui/feedback";
import { readUser, type User } from "~server/bff/accounts.server";
import { readLedger, readOrders } from "~server/bff/checkout.server";
import { BenefitsTable } from "./benefits-table";
import { Ledger, toMovements } from "./ledger";
import { Orders } from "./orders";
import { PlanCards } from "./plan-cards";
import type { Tier } from "./plans";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(subscribePageCopy, matches);

/** Without the upstream the page still compares the tiers. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { upstream, session } = context;
  const products = upstream.call("products", {}).catch(() => []);
  if (!session.values.token) return { user: null, orders: null, movements: null, products: await products };
  const user = readUser(context).catch(() => null);
  const entries = readLedger(upstream);
  const orders = await readOrders(upstream);
  return { user: await user, orders, movements: toShown(await entries), products: await products };
}

const movementsShown = 20;

const toShown = (entries: Awaited<ReturnType<typeof readLedger>>) =>
  entries === "failed" || entries === null ? entries : toMovements(entries).slice(0, movementsShown);

export default function Subscribe() {
  const { user, orders, movements, products } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto grid max-w-page grid-cols-1 gap-8 px-4 py-10 md:px-6 md:py-16">
      <div>
        <h1 className="font-song text-2xl font-semibold md:text-3xl">{subscribePageCopy.heading}</h1>
        <p className="mt-3 max-w-[50em] text-muted">{subscribePageCopy.sentence}</p>
      </div>
      {user && <Membership user={user} />}
      <div>
        {products.length === 0 ? (
          <p className="text-sm text-muted">{subscribePageCopy.noProducts}</p>
        ) : (
          <PlanCards active={activeTiers(user)} products={products} />
        )}
      </div>
      <BenefitsTable />
      {(orders || movements) && (
        <div className="grid items-start gap-8 lg:grid-cols-2 lg:gap-6">
          {orders && <Orders orders={orders} products={products} />}
          {movements && <Ledger movements={movements} />}
        </div>
      )}
    </div>
  );
}

/** The tiers that have not expired. */
function activeTiers(user: User | null): Tier[] {
  const now = Date.now() / 1000;
  return [
    ...(user && user.vipExpire > now ? [1 as const] : []),
    ...(user && user.svipExpire > now ? [2 as const] : []),
  ];
}

/** The account's tiers, professional first, and the month's characters. */
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
