import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { failed } from "~/copy/failures";
import { playerCopy } from "~/copy/player";
import { homeDescription, homeTitle } from "~/copy/site";
import { ErrorPage } from "~/features/layout/error-page";
import { DefaultLayout, FullscreenLayout } from "~/features/layout/layouts";
import { PlayerBar } from "~/features/player/player-bar";
import { PlayerProvider } from "~/features/player/provider";
import { readColorMode } from "~/features/theme/color-mode";
import { guessMobile } from "~/features/theme/device";
import { ThemeProvider } from "~/features/theme/theme";
import { ThemeToggle } from "~/features/theme/theme-toggle";
import { notify } from "~/features/toasts/notify";
import { Toasts } from "~/features/toasts/toasts";
import { useNonce } from "~/ui/nonce";
import stylesheet from "./ui/tailwind.css?url";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export function loader({ request, context: { siteName, session, isSecure, requestId } }: LoaderFunctionArgs) {
  return {
    siteName,
    theme: { isMobile: guessMobile(request.headers), colorMode: readColorMode(request.headers.get("cookie")) },
    user: null,
    trialsUsed: session.values.trialsUsed,
    isSecure,
    requestId,
  };
}

const fallback = { siteName: "", theme: { isMobile: false, colorMode: "system" as const }, requestId: undefined };
const useRoot = () => useRouteLoaderData<typeof loader>("root") ?? fallback;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? homeTitle(data.siteName) : failed.title },
  { name: "description", content: homeDescription },
];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const { theme } = useRoot();
  return (
    <html data-theme={theme.colorMode} lang="zh-CN" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta content="width=device-width, initial-scale=1, viewport-fit=cover" name="viewport" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

const tellPlayerFailed = () => notify({ kind: "error", text: playerCopy.failed });

function Frame({ children }: { children: ReactNode }) {
  const { siteName, theme } = useRoot();
  const isFullscreen = useMatches().some(
    ({ handle }) => (handle as { layout?: string } | undefined)?.layout === "fullscreen",
  );
  const Page = isFullscreen ? FullscreenLayout : DefaultLayout;
  return (
    <ThemeProvider initial={theme}>
      <PlayerProvider onError={tellPlayerFailed}>
        <Page actions={<ThemeToggle />} siteName={siteName}>
          {children}
        </Page>
        <PlayerBar />
      </PlayerProvider>
      <Toasts />
    </ThemeProvider>
  );
}

export default function App() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  return (
    <Frame>
      <ErrorPage requestId={useRoot().requestId} />
    </Frame>
  );
}
