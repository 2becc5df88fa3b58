import { useMatches, useNavigate, useRevalidator } from "@remix-run/react";
import { type ReactNode, Suspense, useCallback, useMemo } from "react";
import { ClientOnly } from "remix-utils/client-only";
import { loadFailureCopy } from "~/copy/errors";
import { playerCopy } from "~/copy/site";
import { AccountProvider } from "~/features/account/provider";
import { DefaultLayout, FullscreenLayout } from "~/features/layout/layouts";
import { PlayerBar } from "~/features/player/player-bar";
import { PlayerProvider } from "~/features/player/provider";
import { ThemeProvider, useTheme } from "~/features/theme/theme";
import { ThemeToggle } from "~/features/theme/theme-toggle";
import { notify } from "~/features/toasts/notify";
import { Toasts } from "~/features/toasts/toasts";
import { type Offer, OfferProvider } from "~/offer";
import { paths } from "~/paths";
import { setIconService } from "~/ui/icons/icon-service";
import { lazyPart } from "~/ui/lazy-part";
import { LoadWordsProvider } from "~/ui/load-failure";
import { AccountCorner } from "./account-corner";
import { Islands } from "./islands";
import { type RootData, useRoot } from "./root-data";

const Announcement = lazyPart(
  () => import("~/features/layout/announcement"),
  () => null,
);

const tellPlayerFailed = () => notify({ kind: "error", text: playerCopy.failed });

function Notice(banner: NonNullable<RootData["banner"]>) {
  const { setBannerHeight } = useTheme();
  return (
    <Suspense>
      <Announcement {...banner} onHeight={setBannerHeight} />
    </Suspense>
  );
}

/** What stands around every page: its layout, the player, and the islands that live in the browser alone. */
export function Frame({ children }: { children: ReactNode }) {
  const { siteName, theme, user, banner, iconServiceUrl, offer } = useRoot();
  // The operator's, the same for everybody; said before anything below shows an icon.
  setIconService(iconServiceUrl);
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const toLogin = useCallback(() => navigate(paths.loginExpired), [navigate]);
  const isFullscreen = useMatches().some(
    ({ handle }) => (handle as { layout?: string } | undefined)?.layout === "fullscreen",
  );
  const Page = isFullscreen ? FullscreenLayout : DefaultLayout;
  return (
    <OfferProvider value={useSame(offer)}>
      <LoadWordsProvider words={loadFailureCopy}>
        <ThemeProvider initial={theme}>
          <AccountProvider onExpired={toLogin} onOtherTab={revalidate} user={user}>
            <PlayerProvider onError={tellPlayerFailed}>
              <Page
                account={<AccountCorner onGone={revalidate} />}
                actions={<ThemeToggle />}
                banner={banner && <Notice {...banner} />}
                siteName={siteName}
              >
                {children}
              </Page>
              <PlayerBar />
            </PlayerProvider>
            <ClientOnly>{() => <Islands onLoginExpired={toLogin} />}</ClientOnly>
          </AccountProvider>
          <Toasts />
        </ThemeProvider>
      </LoadWordsProvider>
    </OfferProvider>
  );
}

/** The same object as long as it says the same, so that nothing is drawn again for it. */
function useSame(offer: Offer): Offer {
  const text = JSON.stringify(offer);
  return useMemo(() => JSON.parse(text) as Offer, [text]);
}
