import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { humanCardCopy, updatesCopy as words } from "~/copy/site";
import { useAccount } from "~/features/account/provider";
import { Analytics } from "~/features/analytics/analytics";
import { listenToPictureFailures } from "~/features/portrait/still";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { NoticeBar } from "~/ui/card";
import { loadPartsAhead } from "~/ui/lazy-part";
import { useRoot } from "./root-data";

/** Shows pending navigations, failed pictures and new builds, and runs analytics where they are configured. `lazy` requires a default export. */
export default function Watch() {
  const { buildId, buildCheckMs, analytics } = useRoot();
  const { account } = useAccount();
  const { pathname } = useLocation();
  const isWaiting = useNavigation().state === "loading";
  return (
    <>
      <LoadingAhead key={pathname} />
      <PictureFailures key={`${pathname} pictures`} />
      <PageWait isWaiting={isWaiting} />
      <UpdateBar buildId={buildId} intervalMs={buildCheckMs} />
      {analytics && <Analytics account={account} {...analytics} />}
    </>
  );
}

/** Loads the error page and the parts of this page that a later tap needs. Not for visitors who save traffic. */
function LoadingAhead() {
  useEffect(() => {
    if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
    import("~/features/layout/error-page").then(
      () => loadPartsAhead(whenIdle),
      () => {},
    );
  }, []);
  return null;
}

/** Shows the first picture of a page that did not load, with its status; further ones say nothing new. */
function PictureFailures() {
  useEffect(() => {
    let isShown = false;
    return listenToPictureFailures(async (address) => {
      if (isShown) return;
      isShown = true;
      const answer = await fetch(address, { method: "HEAD" }).catch(() => null);
      notify({ kind: "error", text: humanCardCopy.pictureFailed(answer?.status ?? null) });
    });
  }, []);
  return null;
}

/** Safari has no requestIdleCallback. */
const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(() => resolve());
    else setTimeout(resolve, 200);
  });

/** A thin stroke of the seal's colour on top of everything while another page is fetched; short waits go without. */
export function PageWait({ isWaiting }: { isWaiting: boolean }) {
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none fixed inset-x-0 top-0 z-30 h-0.5 transition-opacity ${isWaiting ? "opacity-100 delay-200" : "opacity-0"}`}
    >
      <div className="h-full animate-pulse bg-seal motion-reduce:animate-none" />
    </div>
  );
}

/** Offers to reload the page once there is a new build. */
function UpdateBar({ buildId, intervalMs }: { buildId: string; intervalMs: number }) {
  // A page keeps its build until it is reloaded, even if the root's loader reports a newer one.
  const [own] = useState(buildId);
  const [isNew, setNew] = useState(false);
  useEffect(
    () => (own ? watchBuild({ buildId: own, intervalMs, onNew: () => setNew(true) }) : undefined),
    [own, intervalMs],
  );
  if (!isNew) return null;
  return (
    <NoticeBar label={words.label} text={words.text}>
      <Button kind="quiet" onClick={() => setNew(false)}>
        {words.later}
      </Button>
      <Button kind="primary" onClick={() => window.location.reload()}>
        {words.reload}
      </Button>
    </NoticeBar>
  );
}

interface Watching {
  /** The build this page is of. */
  buildId: string;
  intervalMs: number;
  /** Once: there is another build now. */
  onNew(): void;
}

/** Polls the served build while the page is visible; a tab that becomes visible asks if the interval has passed. */
function watchBuild({ buildId, intervalMs, onNew }: Watching): () => void {
  let askedAt = Date.now();
  let isOver = false;
  const ask = async () => {
    if (isOver || document.visibilityState !== "visible" || Date.now() - askedAt < intervalMs) return;
    askedAt = Date.now();
    const served = await fetch(paths.build, { cache: "no-store" })
      .then((response) => (response.ok ? (response.json() as Promise<{ buildId?: unknown }>) : null))
      .catch(() => null);
    if (isOver || typeof served?.buildId !== "string" || served.buildId === buildId) return;
    stop();
    onNew();
  };
  // More often than the interval, so that a tab that was hidden at its end is not late by another one.
  const timer = setInterval(ask, Math.min(intervalMs, 30_000));
  document.addEventListener("visibilitychange", ask);
  const stop = () => {
    isOver = true;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", ask);
  };
  return stop;
}
