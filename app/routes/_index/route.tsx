import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Suspense } from "react";
import { homeDescription, homeTitle } from "~/copy/site";
import { pageMeta, siteNameOf } from "~/features/layout/page";
import { toShownHuman } from "~/features/portrait/picture";
import { paths } from "~/paths";
import { lazyPart } from "~/ui/lazy-part";
import { readTrialCount } from "~server/bff/accounts.server";
import { throwIfLoginExpired } from "~server/bff/answering.server";
import type { Product } from "~server/contract/calls/payments";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => {
  const siteName = siteNameOf(matches);
  const product = {
    "@context": "https://schema.org",
    "@type": "WebApplication",
    name: siteName,
    description: homeDescription,
    inLanguage: "zh-CN",
    applicationCategory: "MultimediaApplication",
    operatingSystem: "Web",
    offers: { "@type": "Offer", price: "0", priceCurrency: "CNY" },
  };
  return [
    ...pageMeta({ title: homeTitle(siteName), description: homeDescription }, matches),
    { "script:ld+json": product },
  ];
};

/** The server's page stands until it is used: its code is as heavy as that of the frame around it. */
const Home = lazyPart(() => import("./home"), undefined, hasNoTrial);

/** False where the trial must continue at once: a voice named by the address, a draft, a running trial, a login. */
function hasNoTrial(): boolean {
  if (import.meta.env.SSR) return false;
  try {
    return !location.search && !Object.keys(sessionStorage).some((key) => /^(trial-|after-login)/.test(key));
  } catch {
    return true; // storage is blocked
  }
}

export async function loader({ context: { upstream, session } }: LoaderFunctionArgs) {
  const humans = await upstream.call("squareHome", { size: 12 }).catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.login);
    // The trial works without public voices.
    return [];
  });
  const products = await upstream.call("products", {}).catch(() => []);
  return {
    humans: humans.map(toShownHuman),
    trials: await readTrialCount({ upstream, session }),
    monthlyFen: [cheapestMonth(products, 1), cheapestMonth(products, 2)],
  };
}

/** Fen; null where no month of the tier is sold. */
function cheapestMonth(products: readonly Product[], tier: 1 | 2): number | null {
  const months = products.filter(({ packageType, days }) => packageType === tier && days >= 28 && days <= 31);
  return months.length > 0 ? Math.min(...months.map(({ price }) => price)) : null;
}

export default function HomeRoute() {
  const data = useLoaderData<typeof loader>();
  return (
    <Suspense fallback={<div aria-busy="true" className="min-h-[100dvh]" />}>
      <Home {...data} />
    </Suspense>
  );
}
