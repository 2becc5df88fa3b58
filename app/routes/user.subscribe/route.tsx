import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { subscribePageCopy } from "~/copy/pages";
import { pageMeta } from "~/features/layout/page-meta";
import { readUser } from "~server/bff/accounts.server";
import { readLedger, readOrders } from "~server/bff/checkout.server";
import { BenefitsTable } from "./benefits-table";
import { BuyButtons } from "./buy-buttons";
import { Ledger } from "./ledger";
import { Membership } from "./membership";
import { toMovements } from "./movements";
import { Orders } from "./orders";

export { RouteError as ErrorBoundary } from "~/features/layout/route-error";

export const meta: MetaFunction = ({ matches }) => pageMeta(subscribePageCopy, matches);

/** An upstream that fails here takes nothing from the comparison of the tiers. */
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
        <BenefitsTable />
        <p className="mt-4 text-sm text-muted">{subscribePageCopy.pack}</p>
        <BuyButtons products={products} />
      </div>
      {(orders || movements) && (
        <div className="grid items-start gap-8 lg:grid-cols-2 lg:gap-6">
          {orders && <Orders orders={orders} products={products} />}
          {movements && <Ledger movements={movements} />}
        </div>
      )}
    </div>
  );
}
