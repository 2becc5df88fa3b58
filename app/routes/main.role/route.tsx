import type { MetaFunction } from "@remix-run/react";
import { rolePage } from "~/copy/pages";
import { useAccount } from "~/features/account/provider";
import { AccountNote } from "~/features/layout/account-note";
import { pageMeta } from "~/features/layout/page-meta";
import { Skeleton } from "~/ui/skeleton";
import { LiveRegion } from "~/ui/visually-hidden";

export const meta: MetaFunction = ({ matches }) => pageMeta(rolePage, matches);

/** This page is made in the browser; the server sends the skeleton. */
export const clientLoader = async () => null;
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return (
    <div className="mx-auto max-w-page px-4 py-10 md:px-6 md:py-16">
      <LiveRegion>{rolePage.loading}</LiveRegion>
      <Skeleton className="h-10 w-48" />
      <Skeleton className="mt-4 h-6 w-full max-w-[34em]" />
      <Skeleton className="mt-6 h-6 w-72" />
      <Skeleton className="mt-3 h-6 w-64" />
      <Skeleton className="mt-8 h-11 w-40 rounded-full" />
    </div>
  );
}

export default function RolePage() {
  const { account } = useAccount();
  return <AccountNote {...rolePage} isLoggedIn={account.isLogin} />;
}
