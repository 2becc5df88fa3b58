import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, type MetaFunction, useLoaderData, useRevalidator } from "@remix-run/react";
import { accountCopy, formatExpiry } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { sentenceFor } from "~/copy/errors";
import { siteCopy } from "~/copy/site";
import { subscribePageCopy } from "~/copy/subscribe";
import { Meter } from "~/features/account/characters";
import { shownTiers, toMeters } from "~/features/account/provider";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Card, Notice } from "~/ui/card";
import { VisuallyHidden } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { readReferral, readUser, type User } from "~server/bff/accounts.server";
import { type History, readLedger, readOrders } from "~server/bff/checkout.server";
import { toRefusal } from "~server/bff/refusal.server";
import type { LedgerEntry } from "~server/contract/calls/users";
import { pagesIn } from "./history-list";
import { Ledger, type Movement, toMovements } from "./ledger";
import { NextStep } from "./next-step";
import { Orders } from "./orders";
import { PlanCards, type Tier } from "./plan-cards";
import { Redeem } from "./redeem";
import { ReferralCard } from "./referral";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(subscribePageCopy, matches);

/** Without the upstream the page still compares the tiers. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const { upstream, session, frame, siteUrl } = context;
  const query = new URL(request.url).searchParams;
  // A gateway leads every payer back here; one without a login has a single order.
  if (query.has("out_trade_no") && !session.values.token && session.values.payPass) throw redirect(paths.handedOver);
  const hasContact = frame.contact !== null;
  const prices = upstream.call("products", {}).then(
    (products) => ({ products, refusal: null }),
    (error: unknown) => ({ products: [], refusal: toRefusal(error) }),
  );
  if (!session.values.token)
    return { hasContact, user: null, referral: null, siteUrl, orders: null, movements: null, ...(await prices) };
  const user = readUser(context).catch(() => null);
  const pages = pagesIn(query);
  const entries = readLedger(upstream, pages.ledger);
  const referral = readReferral(context);
  const orders = await readOrders(upstream, pages.orders);
  const movements = toShown(await entries, pages.ledger);
  return { hasContact, user: await user, referral: await referral, siteUrl, orders, movements, ...(await prices) };
}

const movementsPerPage = 20;
const noPrices = { action: checkoutCopy.retry, to: paths.subscribe };

function toShown(entries: History<LedgerEntry>, pages: number): History<Movement> {
  if (entries === "failed" || entries === null) return entries;
  const movements = toMovements(entries.list);
  const shown = movementsPerPage * pages;
  return { list: movements.slice(0, shown), hasMore: movements.length > shown || entries.hasMore };
}

export default function Subscribe() {
  const { user, referral, siteUrl, orders, movements, products, refusal, hasContact } = useLoaderData<typeof loader>();
  const hasSteps = useHasCall("stepStart");
  const contact = hasContact && (
    <p className="mt-1 text-sm text-muted">
      {subscribePageCopy.trouble}
      <Link className="inline-block py-3 underline underline-offset-4 hover:text-ink" to={paths.contact}>
        {siteCopy.footer.contact}
      </Link>
    </p>
  );
  return (
    <div className="mx-auto grid max-w-page grid-cols-1 gap-8 px-4 py-8 md:px-6 md:py-12">
      <div>
        <h1 className="font-song text-2xl font-semibold md:text-3xl">{subscribePageCopy.heading}</h1>
        <p className="mt-3 max-w-[50em] md:text-balance text-muted">
          {hasSteps ? subscribePageCopy.sentence : subscribePageCopy.sentenceElsewhere}
        </p>
      </div>
      {user && <Membership user={user} />}
      <div>
        {refusal ? (
          <Notice {...noPrices} role="alert" sentence={checkoutCopy.productsFailed(sentenceFor(refusal))} />
        ) : products.length === 0 ? (
          <p className="text-sm text-muted">{subscribePageCopy.noProducts}</p>
        ) : (
          <PlanCards active={activeTiers(user)} products={products} />
        )}
        {hasSteps && <p className="mt-4 max-w-[60em] md:text-balance text-sm text-muted">{subscribePageCopy.steps}</p>}
        {!orders && contact}
      </div>
      {user && <Redeem />}
      <BenefitsTable />
      {referral && <ReferralCard referral={referral} siteUrl={siteUrl} />}
      {(orders || movements) && (
        <div className="grid items-start gap-8 lg:grid-cols-2 lg:gap-6">
          {orders && (
            <div>
              <Orders orders={orders} products={products} />
              {contact}
            </div>
          )}
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

/** The account's tiers, professional first, and its characters with their ends. */
export function Membership({ user }: { user: User }) {
  const { revalidate } = useRevalidator();
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
          <ul className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-4">
            {meters.map((meter) => (
              <li key={`${meter.bucket} ${meter.endsAt}`}>
                <Meter meter={meter} />
              </li>
            ))}
          </ul>
        )}
        {user.nextStep && (
          <div className="mt-4">
            <NextStep onStarted={revalidate} step={user.nextStep} />
          </div>
        )}
      </Card>
    </section>
  );
}

function Cell({ value }: { value: string | boolean }) {
  if (typeof value === "string") return <span className="tabular">{value}</span>;
  return (
    <span className={value ? "text-celadon" : "text-muted"}>
      <Icon className="inline" name={value ? "check" : "close"} />
      <VisuallyHidden>{value ? subscribePageCopy.yes : subscribePageCopy.no}</VisuallyHidden>
    </span>
  );
}

const cell = "px-3 py-3.5 text-left align-top font-normal tight:break-all tight:px-1 md:px-6";

/** Compares the tiers. */
function BenefitsTable() {
  return (
    <Card className="overflow-hidden">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{subscribePageCopy.caption}</caption>
        <thead>
          <tr className="border-b border-line bg-wash">
            <th className={`${cell} text-muted`} scope="col">
              {subscribePageCopy.benefit}
            </th>
            <th className={`${cell} whitespace-nowrap font-song tight:whitespace-normal`} scope="col">
              {subscribePageCopy.normal}
            </th>
            <th className={`${cell} whitespace-nowrap font-song tight:whitespace-normal text-gold`} scope="col">
              {subscribePageCopy.professional}
            </th>
          </tr>
        </thead>
        <tbody>
          {subscribePageCopy.rows.map((row) => (
            <tr className="border-b border-line last:border-0" key={row.benefit}>
              <th className={`${cell} text-muted`} scope="row">
                {row.benefit}
              </th>
              <td className={`${cell} whitespace-nowrap tight:whitespace-normal`}>
                <Cell value={row.normal} />
              </td>
              <td className={`${cell} whitespace-nowrap tight:whitespace-normal`}>
                <Cell value={row.professional} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
