import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useNavigate,
  useRevalidator,
  useRouteLoaderData,
} from "@remix-run/react";
import { lazy, memo, type ReactNode, Suspense, useCallback, useEffect, useRef } from "react";
import { ClientOnly } from "remix-utils/client-only";
import { failed } from "~/copy/failures";
import { playerCopy } from "~/copy/player";
import { homeDescription, homeTitle } from "~/copy/site";
import type { Account } from "~/features/account/account";
import { AccountProvider, useAccount } from "~/features/account/provider";
import { stopBuying, useBuyFlag } from "~/features/checkout/buy-flag";
import { askToConfirm, useQuestion } from "~/features/confirm/confirm";
import { ErrorPage } from "~/features/layout/error-page";
import { DefaultLayout, FullscreenLayout } from "~/features/layout/layouts";
import { askToLogIn, type LoginReason, useLoginFlag } from "~/features/login/login-flag";
import { LoginLink } from "~/features/login/login-link";
import { PlayerBar } from "~/features/player/player-bar";
import { PlayerProvider } from "~/features/player/provider";
import { readColorMode } from "~/features/theme/color-mode";
import { guessMobile } from "~/features/theme/device";
import { ThemeProvider, useTheme } from "~/features/theme/theme";
import { ThemeToggle } from "~/features/theme/theme-toggle";
import { notify } from "~/features/toasts/notify";
import { Toasts } from "~/features/toasts/toasts";
import { paths } from "~/paths";
import { useNonce } from "~/ui/nonce";
import { readUser } from "~server/bff/accounts.server";
import { throwIfLoginExpired } from "~server/bff/refusal-answer.server";
import stylesheet from "./ui/tailwind.css?url";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { siteName, session, isSecure, requestId } = context;
  const user = await readUser(context).catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.login);
    // Somebody is logged in, and the upstream cannot say more just now.
    return undefined;
  });
  return {
    siteName,
    theme: { isMobile: guessMobile(request.headers), colorMode: readColorMode(request.headers.get("cookie")) },
    user,
    trialsUsed: session.values.trialsUsed,
    isSecure,
    requestId,
  };
}

const fallback = {
  siteName: "",
  theme: { isMobile: false, colorMode: "system" as const },
  user: undefined,
  requestId: undefined,
};
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

const NoDialog = (_props: { reason: LoginReason; onError(sentence: string): void }) => <></>;
/** Where it cannot be loaded, the login page has the same form. */
const LoginDialog = lazy(() =>
  import("~/features/login/login-dialog").catch(() => {
    window.location.assign(paths.login);
    return { default: NoDialog };
  }),
);
const ConfirmDialog = lazy(() => import("~/features/confirm/confirm-dialog"));
const Checkout = lazy(async () => ({ default: (await import("~/features/checkout/checkout")).Checkout }));
const AccountMenu = lazy(() => import("~/features/account/account-menu"));

const tellError = (text: string) => notify({ kind: "error", text });

const logInToBuy = () => askToLogIn("to-buy");

/** One dialog at a time: a question comes first, then the login, then the payment, which asks for the login itself. */
function Dialogs({ onLoginExpired }: { onLoginExpired(): void }) {
  const question = useQuestion();
  const reason = useLoginFlag();
  const { account } = useAccount();
  const wasAsked = useRef(false);
  useEffect(() => {
    // Lowering the login flag clears every dialog.
    if (!reason && wasAsked.current) stopBuying();
    wasAsked.current = reason !== null;
  }, [reason]);
  const payer = account.isLogin ? account : null;
  return (
    <>
      <Suspense fallback={null}>
        {question ? <ConfirmDialog /> : reason ? <LoginDialog onError={tellError} reason={reason} /> : null}
      </Suspense>
      {payer ? <Payment onLoginExpired={onLoginExpired} payer={payer} /> : <Wish onLoginExpired={onLoginExpired} />}
    </>
  );
}

/** A visitor's wish to buy is all that loads the checkout for them. */
function Wish({ onLoginExpired }: { onLoginExpired(): void }) {
  return useBuyFlag() && <Payment onLoginExpired={onLoginExpired} payer={null} />;
}

/** Updated only when the payer is: React gives up on a lazy part that gets an update while it hydrates. */
const Payment = memo(({ payer, onLoginExpired }: { payer: Account | null; onLoginExpired(): void }) => {
  const { revalidate } = useRevalidator();
  const { isMobile } = useTheme();
  return (
    <Suspense fallback={null}>
      <Checkout
        isMobile={isMobile}
        onLoginExpired={onLoginExpired}
        onLoginNeeded={logInToBuy}
        onUserChanged={revalidate}
        payer={payer}
        tell={notify}
      />
    </Suspense>
  );
});

/** Memoised for the same reason. */
const AccountCorner = memo(({ onGone }: { onGone(): void }) => {
  const { account } = useAccount();
  if (!account.isLogin) return <LoginLink />;
  return (
    <Suspense fallback={<div className="h-11 w-11 md:w-[9.25rem]" />}>
      <AccountMenu ask={askToConfirm} onGone={onGone} tell={notify} />
    </Suspense>
  );
});

const tellPlayerFailed = () => tellError(playerCopy.failed);

function Frame({ children }: { children: ReactNode }) {
  const { siteName, theme, user } = useRoot();
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const toLogin = useCallback(() => navigate(paths.loginExpired), [navigate]);
  const isFullscreen = useMatches().some(
    ({ handle }) => (handle as { layout?: string } | undefined)?.layout === "fullscreen",
  );
  const Page = isFullscreen ? FullscreenLayout : DefaultLayout;
  return (
    <ThemeProvider initial={theme}>
      <AccountProvider onExpired={toLogin} onOtherTab={revalidate} user={user}>
        <PlayerProvider onError={tellPlayerFailed}>
          <Page account={<AccountCorner onGone={revalidate} />} actions={<ThemeToggle />} siteName={siteName}>
            {children}
          </Page>
          <PlayerBar />
        </PlayerProvider>
        <ClientOnly>{() => <Dialogs onLoginExpired={toLogin} />}</ClientOnly>
      </AccountProvider>
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
