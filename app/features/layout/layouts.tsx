import { Link, NavLink, useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { navCopy, siteCopy, slidesNavCopy, tabBarCopy } from "~/copy/site";
import { paths } from "~/paths";
import { useCapabilities, useHasCall } from "~/state/capabilities";
import { Icon, Seal } from "~/ui/icons/icon";
import { ServedIcon } from "~/ui/icons/served-icon";

interface LayoutProps extends FooterProps {
  /** Buttons of the header besides the account's. */
  actions: ReactNode;
  account: ReactNode;
  /** A notice across the top. */
  banner: ReactNode;
  children: ReactNode;
}

const mainId = "content";

/** Header, page, footer, and the tab bar on phones; room at the foot for the tab bar and the player. */
export function DefaultLayout({ actions, account, banner, children, ...site }: LayoutProps) {
  return (
    <div className="flex min-h-[100dvh] flex-col pb-[calc(var(--tabbar)+var(--player,0px))]">
      <SkipLink />
      {banner}
      <Header account={account} actions={actions} siteName={site.siteName} />
      <Main className="w-full flex-1">{children}</Main>
      <Footer {...site} />
      <TabBar />
    </div>
  );
}

/** Centred content and a link home. */
export function FullscreenLayout({ siteName, actions, banner, children }: LayoutProps) {
  return (
    <div className="flex min-h-[100dvh] flex-col pb-[var(--player,0px)]">
      {banner}
      <header className="flex h-14 items-center justify-between px-4 md:h-16 md:px-6">
        <Brand siteName={siteName} />
        {actions}
      </header>
      <Main className="grid flex-1 grid-cols-[minmax(0,1fr)] place-items-center px-4 py-8">{children}</Main>
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

function Brand({ siteName }: { siteName: string }) {
  return (
    <Link
      aria-label={siteCopy.homeLink(siteName)}
      className="flex min-h-[44px] items-center gap-2.5 font-song text-xl font-bold tracking-wider whitespace-nowrap tight:gap-1 tight:text-lg tight:tracking-normal"
      to={paths.home}
      translate="no"
    >
      <Seal />
      {siteName}
    </Link>
  );
}

/** Destinations of the navigation, in display order. */
const destinations = [
  { key: "home", icon: "home" },
  { key: "clone", icon: "mic" },
  { key: "role", icon: "person" },
  { key: "dubbing", icon: "script" },
  { key: "square", icon: "grid" },
] as const;

interface HeaderProps {
  siteName: string;
  /** Between the navigation and the account. */
  actions: ReactNode;
  /** The login button, or the account menu. */
  account: ReactNode;
}

function Header({ siteName, actions, account }: HeaderProps) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="mx-auto flex min-h-[3.5rem] max-w-page items-center gap-3 px-4 tight:gap-1 tight:px-2 max-md:flex-wrap md:min-h-[4rem] md:gap-6 md:px-6">
        <Brand siteName={siteName} />
        <nav aria-label={siteCopy.mainNav} className="hidden md:block">
          <ul className="flex flex-wrap gap-x-1">
            {destinations.map(({ key }) => (
              <li key={key}>
                <NavLink end className="nav-link" to={paths[key]}>
                  {navCopy[key]}
                </NavLink>
              </li>
            ))}
            <li className="hidden lg:block">
              <NavLink end className="nav-link" to={paths.slides}>
                {slidesNavCopy}
              </NavLink>
            </li>
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-2">
          {actions}
          {account}
        </div>
      </div>
    </header>
  );
}

/** The phone's navigation at the bottom; hidden from 768 px up. */
function TabBar() {
  return (
    <nav
      aria-label={siteCopy.tabNav}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid grid-cols-5">
        {destinations.map(({ key, icon }) => (
          <li key={key}>
            <NavLink end className="tab-link" discover="none" to={paths[key]}>
              <Icon name={icon} size={22} />
              {tabBarCopy[key]}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface FooterProps {
  siteName: string;
  hasContact: boolean;
  /** Who runs the site, and its number of the ICP filing. */
  operator: { company: string | null; icpNumber: string | null };
}

/** The engine and the label are named only where the upstream promises them. */
function Footer({ siteName, hasContact, operator: { company, icpNumber } }: FooterProps) {
  const { engine, isLabelled } = useCapabilities();
  const links = [
    { key: "service", icon: "scroll-text", isShown: true },
    { key: "privacy", icon: "lock", isShown: true },
    { key: "contact", icon: "headset", isShown: hasContact },
    { key: "subscribe", icon: "crown", isShown: true },
    { key: "verify", icon: "shield-check", isShown: useHasCall("verify") },
    { key: "developers", icon: "code", isShown: useHasCall("speech") },
  ] as const;
  const promises = [engine === "embedded" && siteCopy.engines.embedded, isLabelled && siteCopy.footer.aiLabel].filter(
    Boolean,
  );
  return (
    <footer className="mt-auto border-t border-line">
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-6 px-4 py-4 text-xs text-muted md:px-6">
        <span className="font-song text-sm text-ink">{siteName}</span>
        {links.map(
          ({ key, icon, isShown }) =>
            isShown && (
              <Link className="foot-link" key={key} to={paths[key]}>
                <ServedIcon name={`lucide:${icon}`} size={16} />
                {siteCopy.footer[key]}
              </Link>
            ),
        )}
        <span className="lg:ml-auto">{promises.join(" · ")}</span>
        {(company || icpNumber) && (
          <p className="flex basis-full flex-wrap items-center gap-x-4">
            {company}
            {icpNumber && (
              <a className="foot-link" href="https://beian.miit.gov.cn/" rel="noreferrer" target="_blank">
                {icpNumber}
              </a>
            )}
          </p>
        )}
      </div>
    </footer>
  );
}
