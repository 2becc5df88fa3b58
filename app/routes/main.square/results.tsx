import { Link, useNavigation, useRevalidator } from "@remix-run/react";
import { Suspense, useEffect, useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { reportCopy, squareCopy } from "~/copy/square";
import { usePlayer } from "~/features/player/provider";
import type { SquareHuman } from "~/features/portrait/picture";
import { filterQuery } from "~/features/square/filter";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { LiveRegion } from "~/ui/feedback";
import { DialogFailure, lazyPart } from "~/ui/lazy-part";
import { MoreLink } from "~/ui/pager";
import { HumanList } from "./human-list";
import { type FirstPage, type PagesStatus, usePages } from "./use-pages";

const ReportDialog = lazyPart(
  async () => ({ default: (await import("./report-dialog")).ReportDialog }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);

/** The loaded part of the list, with links to the other pages. */
export function Results({ filter, humans, total }: FirstPage) {
  const { location } = useNavigation();
  const { stop, track } = usePlayer();
  const { revalidate } = useRevalidator();
  const list = usePages({ filter, humans, total });
  const [reporting, setReporting] = useState<SquareHuman | null>(null);
  const [reported, setReported] = useState<readonly string[]>([]);
  const shown = list.humans.filter(({ roleId }) => !reported.includes(roleId));
  const pageUrl = (page: number) => paths.square + filterQuery(filter, { page });

  const onReported = ({ roleId, voiceUrl }: SquareHuman) => {
    setReporting(null);
    setReported((now) => [...now, roleId]);
    if (track?.url === paths.media(voiceUrl)) stop();
    notify({ kind: "success", text: reportCopy.thanks });
    revalidate();
  };

  return (
    <>
      <h2 className="sr-only">{squareCopy.results}</h2>
      {filter.page > 1 && (
        <div className="mb-5 text-center">
          <Link className={buttonClass({ kind: "quiet" })} rel="prev" to={pageUrl(filter.page - 1)}>
            {squareCopy.previous}
          </Link>
        </div>
      )}
      <HumanList
        humans={shown}
        isLoadingMore={list.status === "loading"}
        isPending={location?.pathname === paths.square}
        onReport={setReporting}
      />
      <div className="mt-8">
        {list.hasMore ? (
          <MoreAhead onMore={list.more} status={list.status} to={pageUrl(list.next)} />
        ) : (
          <p className="text-center text-sm text-muted">{squareCopy.end(list.total)}</p>
        )}
      </div>
      <LiveRegion>{shown.length > humans.length ? squareCopy.shown(shown.length, list.total) : ""}</LiveRegion>
      {reporting && (
        <Suspense fallback={null}>
          <ReportDialog human={reporting} onClose={() => setReporting(null)} onReported={() => onReported(reporting)} />
        </Suspense>
      )}
    </>
  );
}

/** The next page loads at this distance from the end of the list. */
const loadAheadPx = 800;

/** Loads the next page when it comes near the viewport; after a failure only on a click. */
function MoreAhead({ status, to, onMore }: { status: PagesStatus; to: string; onMore(): void }) {
  const container = useRef<HTMLDivElement>(null);
  const isIdle = status === "idle";
  const [shown, moreFailed] = typeof status === "string" ? [status, ""] : (["failed", sentenceFor(status)] as const);
  useEffect(() => {
    if (!isIdle || !container.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: `0px 0px ${loadAheadPx}px` },
    );
    observer.observe(container.current);
    return () => observer.disconnect();
  }, [isIdle, onMore]);
  return (
    <div ref={container}>
      <MoreLink onMore={onMore} status={shown} to={to} words={{ ...squareCopy, moreFailed }} />
    </div>
  );
}
