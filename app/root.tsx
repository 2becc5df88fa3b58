import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useMatches } from "@remix-run/react";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useHydrated } from "remix-utils/use-hydrated";
import { homeDescription, homeTitle, siteCopy } from "~/copy/site";
import { expiryNotice } from "~/features/account/expiry";
import { RouteError } from "~/features/layout/page";
import { type ColorMode, readColorMode } from "~/features/theme/theme";
import { Frame } from "~/frame/frame";
import { type RootData, useRoot } from "~/frame/root-data";
import { paths } from "~/paths";
import { useDocument } from "~/ui/document-context";
import { EarlyScript, useEarlyInput } from "~/ui/event-replay";
import { dark, light } from "~/ui/palette";
import { ownerOf, readUser } from "~server/bff/accounts.server";
import { guessMobile, openBanner } from "~server/bff/frame.server";
import { throwIfLoginExpired } from "~server/bff/json-route.server";
import stylesheet from "./ui/tailwind.css?url";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: paths.manifest },
];

export async function loader({ request, context }: LoaderFunctionArgs): Promise<RootData> {
  const { siteName, siteUrl, buildId, frame, session, isDocument, requestId } = context;
  const capabilities = context.upstream.readCapabilities();
  const user = await readUser(context).catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.loginExpiredFrom(pageOf(new URL(request.url))));
    // The account is logged in, but the upstream does not answer.
    return undefined;
  });
  const cookies = request.headers.get("cookie");
  const { contact, operator, banner, buildCheckMs, iconServiceUrl, analytics } = frame;
  return {
    siteName,
    siteUrl,
    buildId,
    theme: { isMobile: guessMobile(request.headers), colorMode: readColorMode(cookies) },
    user,
    owner: ownerOf(session),
    capabilities: await capabilities,
    requestId: isDocument ? undefined : requestId,
    contact: contact && { text: contact.text },
    operator,
    banner: openBanner([expiryNotice(user, Date.now() / 1000), banner], cookies),
    buildCheckMs,
    iconServiceUrl,
    analytics: analytics.baiduId || analytics.gtagId ? analytics : null,
  };
}

/** The page to return to after a login. */
const pageOf = ({ pathname, search, searchParams }: URL) =>
  pathname === paths.login ? (searchParams.get("next") ?? paths.home) : pathname + search;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? homeTitle(data.siteName) : siteCopy.failed },
  { name: "description", content: homeDescription },
];

/**
 * React hydrates `#app` alone (app/entry.client.tsx). React 18 renders its container anew when it finds a node there that
 * the server has not written, and extensions add theirs to head and body: with the document as the container the page
 * would lose its nonce and its style sheet. So style sheets come from here, none from a route.
 */
export function Layout({ children }: { children: ReactNode }) {
  const { nonce, requestId } = useDocument();
  const { theme } = useRoot();
  const app = (
    <>
      {children}
      <ScrollRestoration nonce={nonce} />
      <Scripts nonce={nonce} />
    </>
  );
  // Two branches as in the document below, because `useId` counts them.
  if (!import.meta.env.SSR)
    return (
      <>
        <HeadInBrowser />
        {app}
      </>
    );
  return (
    <html data-request-id={requestId} data-theme={theme.colorMode} lang="zh-CN">
      <head>
        <meta charSet="utf-8" />
        <meta content="width=device-width, initial-scale=1, viewport-fit=cover" name="viewport" />
        <EarlyScript />
        <meta content={theme.colorMode === "system" ? "light dark" : theme.colorMode} name="color-scheme" />
        <ThemeColor mode={theme.colorMode} />
        <PageHead />
        <Links />
      </head>
      <body>
        <div id="app">{app}</div>
      </body>
    </html>
  );
}

/** The tags that differ from page to page. */
function PageHead() {
  const { siteUrl } = useRoot();
  const address = siteUrl + useLocation().pathname;
  const cards = useMatches().map(({ data }) => (data as { card?: unknown } | null | undefined)?.card);
  const card = cards.find((path): path is string => typeof path === "string") ?? "/og.png";
  return (
    <>
      <Meta />
      {siteUrl && (
        <>
          <link href={address} rel="canonical" />
          <meta content={address} property="og:url" />
          <meta content={siteUrl + card} property="og:image" />
          {/* WeChat's and QQ's cards read this one. */}
          <meta content={siteUrl + card} itemProp="image" />
          <meta content="summary_large_image" name="twitter:card" />
        </>
      )}
    </>
  );
}

const pageTags =
  "title, meta[property], meta[itemprop], meta[name^='twitter:'], meta[name=description], meta[name=robots], meta[name=referrer], link[rel=canonical], script[type='application/ld+json']";

/** Takes the place of the server's tags once the page has hydrated, and follows the navigation. */
function HeadInBrowser() {
  useEarlyInput();
  const isHydrated = useHydrated();
  const [ofServer] = useState(() => document.head.querySelectorAll(pageTags));
  useLayoutEffect(() => {
    if (isHydrated) for (const tag of ofServer) tag.remove();
  }, [isHydrated, ofServer]);
  return isHydrated ? createPortal(<PageHead />, document.head) : null;
}

/** Colours the browser's own bars; `data-system` is what the system's mode would give, for a later change of mode. */
function ThemeColor({ mode }: { mode: ColorMode }) {
  return (["light", "dark"] as const).map((scheme) => (
    <meta
      content={papers[mode === "system" ? scheme : mode]}
      data-system={papers[scheme]}
      key={scheme}
      media={`(prefers-color-scheme: ${scheme})`}
      name="theme-color"
    />
  ));
}

const papers = { light: light.paper, dark: dark.paper };

export default function App() {
  const isBare = useMatches().some(({ handle }) => (handle as { layout?: string } | undefined)?.layout === "bare");
  if (isBare) return <Outlet />;
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  return (
    <Frame>
      <RouteError />
    </Frame>
  );
}
