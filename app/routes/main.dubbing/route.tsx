import type { MetaFunction } from "@remix-run/react";
import { dubbingPage } from "~/copy/pages";
import { useAccount } from "~/features/account/provider";
import { AccountNote } from "~/features/layout/account-note";
import { pageMeta } from "~/features/layout/page-meta";

export const meta: MetaFunction = ({ matches }) => pageMeta(dubbingPage, matches);

export default function Dubbing() {
  const { account } = useAccount();
  return <AccountNote {...dubbingPage} isLoggedIn={account.isLogin} />;
}
