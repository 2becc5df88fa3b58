import { useRouteLoaderData } from "@remix-run/react";
import type { User } from "~/features/account/provider";
import type { AnalyticsIds } from "~/features/analytics/analytics";
import type { ColorMode } from "~/features/theme/theme";
import { type SiteCapabilities, unknownCapabilities } from "~/state/capabilities";

/** Data of the root's loader for every page. */
export interface RootData {
  siteName: string;
  /** Origin people see; "" while the server cannot be asked. */
  siteUrl: string;
  buildId: string;
  theme: { isMobile: boolean; colorMode: ColorMode };
  /** Null for visitors, undefined when the account is logged in but the upstream does not answer. */
  user: User | null | undefined;
  /** Whose data these are, see `app/ui/store.ts`; undefined while the server cannot be asked. */
  owner: string | null | undefined;
  capabilities: SiteCapabilities;
  /** Of the data of a page change; a document keeps its own at its root. */
  requestId: string | undefined;
  /** Null: the site names no contact. */
  contact: { text: string | null } | null;
  /** For the footer. */
  operator: { company: string | null; icpNumber: string | null };
  /** The notice across the top, unless this browser has closed it. */
  banner: { id: string; text: string; link: string | null } | null;
  buildCheckMs: number;
  iconServiceUrl: string | null;
  /** Null: no analytics. */
  analytics: AnalyticsIds | null;
}

const unknown: RootData = {
  siteName: "",
  siteUrl: "",
  buildId: "",
  theme: { isMobile: false, colorMode: "system" },
  user: undefined,
  owner: undefined,
  capabilities: unknownCapabilities,
  requestId: undefined,
  contact: null,
  operator: { company: null, icpNumber: null },
  banner: null,
  buildCheckMs: 0,
  iconServiceUrl: null,
  analytics: null,
};

/** The last complete answer, used when a later one fails. Only in a browser: the server serves many people. */
let last: RootData | undefined;

/** The root loader's data; after a failed load the previous data or null. */
export function useRoot(): RootData {
  const loaded = useRouteLoaderData("root") as RootData | undefined;
  if (typeof document !== "undefined" && loaded) last = loaded;
  return loaded ?? last ?? unknown;
}
