import { Link, useLocation, useMatches, useRevalidator, useRouteLoaderData } from "@remix-run/react";
import { type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { ClientOnly } from "remix-utils/client-only";
import { loadFailureCopy, playerCopy, siteCopy } from "~/copy/site";
import { AccountMenu } from "~/features/account/account-menu";
import { AccountProvider, useAccount } from "~/features/account/provider";
import { Announcement } from "~/features/layout/announcement";
import { ArrivingVoice, type NaturalVoice } from "~/features/layout/arriving-voice";
import { DefaultLayout, FullscreenLayout } from "~/features/layout/layouts";
import { PlayerProvider, usePlayerStage } from "~/features/player/provider";
import { ThemeProvider, ThemeToggle, useTheme } from "~/features/theme/theme";
import { notify, notifyAfterReload } from "~/features/toasts/notify";
import { Toasts } from "~/features/toasts/toasts";
import { paths } from "~/paths";
import { CapabilitiesProvider, type SiteCapabilities } from "~/state/capabilities";
import {
  askToConfirm,
  askToLogIn,
  cancelLogin,
  cancelQuestion,
  stopBuying,
  useBuyRequest,
  useLoginReason,
  useQuestion,
} from "~/state/dialog-requests";
import { useOverlayEntries } from "~/ui/back-to-close";
import { buttonClass, insteadOfLink } from "~/ui/button";
import { setIconService } from "~/ui/icons/served-icon";
import { DialogFailure, LoadWordsProvider, lazyPart } from "~/ui/lazy-part";
import { isAccountsDocument, isOthersDocument, openDocument } from "~/ui/store";
import { Offline } from "./offline";
import { type RootData, useRoot } from "./root-data";

/** A sound that does not load may be the first sign of an expired login, which reading the account finds. */
function tellPlayerFailed() {
  notify({ kind: "error", text: playerCopy.failed });
  if (isAccountsDocument())
    void import("~/features/account/account-sync").then(({ readUser }) => readUser()).catch(() => {});
}

function Notice(banner: NonNullable<RootData["banner"]>) {
  const { setBannerHeight } = useTheme();
  return <Announcement {...banner} onHeight={setBannerHeight} />;
}

/** Surroundings of every page: its layout, the player, and the islands that only run in the browser. */
export function Frame({ children }: { children: ReactNode }) {
  const { siteName, theme, user, owner, banner, iconServiceUrl, capabilities, contact, operator } = useRoot();
  // The operator's setting, set before any icon below is rendered.
  setIconService(iconServiceUrl);
  // Before any page below reads what it saved.
  openDocument(owner);
  useEffect(() => {
    if (isOthersDocument(owner)) window.location.reload();
  }, [owner]);
  useOverlayEntries();
  const { revalidate } = useRevalidator();
  const layouts = useMatches().map(({ handle }) => (handle as { layout?: string } | undefined)?.layout);
  const home = useRouteLoaderData("routes/_index") as { voice: NaturalVoice | null } | undefined;
  const Page = layouts.includes("fullscreen") ? FullscreenLayout : DefaultLayout;
  return (
    <CapabilitiesProvider value={useSame(capabilities)}>
      <LoadWordsProvider words={loadFailureCopy}>
        <ThemeProvider initial={theme}>
          <AccountProvider onOtherTab={revalidate} user={user}>
            <PlayerProvider onError={tellPlayerFailed}>
              <div className={layouts.includes("wide") ? "wide-page" : undefined}>
                <Page
                  account={<AccountCorner />}
                  actions={<ThemeToggle />}
                  banner={
                    <>
                      {banner && <Notice {...banner} />}
                      {home?.voice && <ArrivingVoice initial={home.voice} />}
                    </>
                  }
                  hasContact={contact !== null}
                  operator={operator}
                  siteName={siteName}
                >
                  {children}
                </Page>
                <PlayerBar />
              </div>
            </PlayerProvider>
            <ClientOnly>{() => <Islands />}</ClientOnly>
          </AccountProvider>
          <Toasts />
        </ThemeProvider>
      </LoadWordsProvider>
    </CapabilitiesProvider>
  );
}

/** The same object as long as it says the same, so that nothing is drawn again for it. */
function useSame(capabilities: SiteCapabilities): SiteCapabilities {
  const text = JSON.stringify(capabilities);
  return useMemo(() => JSON.parse(text) as SiteCapabilities, [text]);
}

/** The way in, or who is in. */
export function AccountCorner() {
  const { account } = useAccount();
  const { revalidate } = useRevalidator();
  const hasContact = useRoot().contact !== null;
  if (!account.isLogin) return <LoginLink />;
  const onLoggedOut = (text: string) => {
    notifyAfterReload({ kind: "success", text });
    revalidate();
  };
  return <AccountMenu ask={askToConfirm} hasContact={hasContact} notify={notify} onLoggedOut={onLoggedOut} />;
}

interface OverlaysProps {
  /** A dialog is wanted now. */
  isAsked: boolean;
}

const Overlays = lazyPart<OverlaysProps>(
  () => import("./overlays"),
  ({ isAsked }, failure) => isAsked && <DialogFailure failure={failure} onClose={dropDialogs} />,
);

const Watch = lazyPart(
  () => import("./site-status"),
  () => null,
);

function dropDialogs() {
  cancelQuestion();
  cancelLogin();
  stopBuying();
}

/** After the page has come to rest, and never before what is on it. */
const watchAfterMs = 4000;

/** Dialogs and watchers. Their code arrives when something calls for it, so a visitor's page starts without them. */
export function Islands() {
  const isLogin = useAccount().account.isLogin;
  const { analytics } = useRoot();
  const isAsked = [useQuestion(), useLoginReason(), useBuyRequest()].some(Boolean);
  const [needsOverlays, setNeedsOverlays] = useState(false);
  const [isWatching, setWatching] = useState(analytics !== null);
  if ((isAsked || isLogin) && !needsOverlays) setNeedsOverlays(true);
  useEffect(() => {
    // Absent on plain HTTP. Without it a page that cannot be had shows the browser's own error.
    navigator.serviceWorker?.register(paths.serviceWorker).catch(() => {});
    const watch = () => setWatching(true);
    const begin = () => (navigator.onLine ? watch() : addEventListener("online", watch, { once: true }));
    const timer = setTimeout(begin, watchAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Suspense>{needsOverlays && <Overlays isAsked={isAsked} />}</Suspense>
      {/* Apart: while it loads an open dialog stays, and keeps the focus. */}
      <Suspense>{isWatching && <Watch />}</Suspense>
      <Offline />
    </>
  );
}

/** The bar at the bottom of every page; its code, the waveform's included, arrives with the first thing played. */
function PlayerBar() {
  const { state } = usePlayerStage();
  const wasAsked = state.attempt > 0;
  return wasAsked ? <ClientOnly>{() => <Island />}</ClientOnly> : null;
}

function Island() {
  const { state, dispatch, onError } = usePlayerStage();
  const { attempt } = state;
  const [Bar, setBar] = useState<(() => JSX.Element) | null>(null);

  useEffect(() => {
    if (Bar) return;
    let isGone = false;
    import("~/features/player/bar").then(
      (module) => {
        if (!isGone) setBar(() => module.Bar);
      },
      () => {
        if (isGone) return;
        dispatch({ type: "failed", attempt });
        onError?.();
      },
    );
    return () => {
      isGone = true;
    };
  }, [Bar, attempt, dispatch, onError]);

  return Bar && <Bar />;
}

/** The header's login link: opens the dialog; in a new tab or without scripts the login page. */
function LoginLink() {
  const { pathname, search } = useLocation();
  return (
    <Link
      className={`${buttonClass({ kind: "outline" })} tight:!whitespace-nowrap tight:!px-2.5`}
      onClick={insteadOfLink(() => askToLogIn("asked"))}
      to={paths.loginFrom(pathname + search)}
    >
      {siteCopy.login}
    </Link>
  );
}
