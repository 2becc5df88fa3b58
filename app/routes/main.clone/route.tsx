import type { MetaFunction } from "@remix-run/react";
import { clonePage } from "~/copy/pages";
import { useAccount } from "~/features/account/provider";
import { AccountNote } from "~/features/layout/account-note";
import { pageMeta } from "~/features/layout/page-meta";

export const meta: MetaFunction = ({ matches }) => pageMeta(clonePage, matches);

export default function Clone() {
  const { account } = useAccount();
  return <AccountNote {...clonePage} isLoggedIn={account.isLogin} />;
}
