import { useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { siteCopy } from "~/copy/site";
import { Brand, Footer, Header, TabBar } from "./navigation";

interface LayoutProps {
  siteName: string;
  /** Buttons of the header besides the account's. */
  actions: ReactNode;
  account: ReactNode;
  /** A notice across the top. */
  banner: ReactNode;
  children: ReactNode;
}

const mainId = "content";

/** Header, page, footer, and the tab bar on phones; room at the foot for the tab bar and the player. */
export function DefaultLayout({ siteName, actions, account, banner, children }: LayoutProps) {
  return (
    <div className="flex min-h-[100dvh] flex-col pb-[calc(var(--tabbar)+var(--player,0px))]">
      <SkipLink />
      {banner}
      <Header account={account} actions={actions} siteName={siteName} />
      <Main className="w-full flex-1">{children}</Main>
      <Footer siteName={siteName} />
      <TabBar />
    </div>
  );
}

/** One thing in the middle of the screen and a way home. */
export function FullscreenLayout({ siteName, actions, banner, children }: LayoutProps) {
  return (
    <div className="flex min-h-[100dvh] flex-col pb-[var(--player,0px)]">
      {banner}
      <header className="flex h-14 items-center justify-between px-4 md:h-16 md:px-6">
        <Brand siteName={siteName} />
        {actions}
      </header>
      <Main className="grid flex-1 place-items-center px-4 py-8">{children}</Main>
    </div>
  );
}

function SkipLink() {
  return (
    <a
      className="sr-only rounded-full bg-ink text-paper focus:not-sr-only focus:fixed focus:left-4 focus:top-2 focus:z-50 focus:px-5 focus:py-3"
      href={`#${mainId}`}
    >
      {siteCopy.skip}
    </a>
  );
}

/** Takes the focus after a navigation, so that the keyboard and a screen reader start at the new page's beginning. */
function Main({ className, children }: { className: string; children: ReactNode }) {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <main className={className} id={mainId} ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}
