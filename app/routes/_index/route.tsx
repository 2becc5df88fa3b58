import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { homeDescription, homeTitle } from "~/copy/site";
import { pageMeta, siteNameOf } from "~/features/layout/page";
import { toShownHuman } from "~/features/portrait/picture";
import { paths } from "~/paths";
import { readTrialCount, rememberReferral } from "~server/bff/accounts.server";
import { throwIfLoginExpired } from "~server/bff/json-route.server";
import { toRefusal } from "~server/bff/refusal.server";
import type { CallData } from "~server/contract/calls/table";
import { Home } from "./home";

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

export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  rememberReferral(session, new URL(request.url).searchParams);
  const [featured, products, voice, trials] = await Promise.all([
    upstream.call("squareHome", { size: 12 }).then(
      (humans) => ({ humans: humans.map(toShownHuman), refusal: null }),
      (error: unknown) => {
        throwIfLoginExpired(error, session, paths.loginExpired);
        // The trial works without public voices.
        return { humans: [], refusal: toRefusal(error) };
      },
    ),
    upstream.readPrices().catch(() => []),
    // For the frame's notice: how the voice that comes by itself gets on; null where none comes.
    upstream
      .readCapabilities()
      .then(() => upstream.call("naturalVoice", {}))
      .catch(() => null),
    readTrialCount({ upstream, session }),
  ]);
  return { ...featured, voice, trials, monthlyFen: toMonthlyFen(products) };
}

const toMonthlyFen = (products: CallData<"products">) =>
  ([1, 2] as const).map((tier) => {
    const months = products.filter(({ packageType, days }) => packageType === tier && days >= 28 && days <= 31);
    return months.length > 0 ? Math.min(...months.map(({ price }) => price)) : null;
  });

export default function HomeRoute() {
  const { voice: _, ...home } = useLoaderData<typeof loader>();
  return <Home {...home} />;
}
