import type { MetaFunction } from "@remix-run/react";
import { clonePage } from "~/copy/pages";
import { AccountNote } from "~/features/layout/account-note";
import { pageMeta } from "~/features/layout/page-meta";

export const meta: MetaFunction = ({ matches }) => pageMeta(clonePage, matches);

export default function Clone() {
  return <AccountNote {...clonePage} />;
}
