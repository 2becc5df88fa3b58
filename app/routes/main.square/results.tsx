import { Link, useNavigation, useRevalidator } from "@remix-run/react";
import { Suspense, useState } from "react";
import { reportCopy, squareCopy } from "~/copy/square";
import { usePlayer } from "~/features/player/provider";
import { type Filter, filterQuery } from "~/features/square/filter";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { lazyPart } from "~/ui/lazy-part";
import { DialogFailure } from "~/ui/load-failure";
import { LiveRegion } from "~/ui/visually-hidden";
import type { SquareHuman } from "~server/bff/roles.server";
import { HumanList } from "./human-list";
import { MoreLink } from "./more-link";
import { useMore } from "./use-more";

const ReportDialog = lazyPart(
  async () => ({ default: (await import("./report-dialog")).ReportDialog }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);

interface ResultsProps {
  filter: Filter;
  humans: readonly SquareHuman[];
  total: number;
}

/** The list as far as it was loaded, and the way to more of it. */
export function Results({ filter, humans, total }: ResultsProps) {
  const { location } = useNavigation();
  const { stop, track } = usePlayer();
  const { revalidate } = useRevalidator();
  const list = useMore({ filter, humans, total });
  const [reporting, setReporting] = useState<SquareHuman | null>(null);
  const [reported, setReported] = useState<readonly string[]>([]);
  const shown = list.humans.filter(({ roleId }) => !reported.includes(roleId));
  const pageAddress = (page: number) => paths.square + filterQuery(filter, { page });

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
          <Link className={buttonClass({ kind: "quiet" })} rel="prev" to={pageAddress(filter.page - 1)}>
            {squareCopy.previous}
          </Link>
        </div>
      )}
      <HumanList
        humans={shown}
        isGrowing={list.status === "loading"}
        isPending={location?.pathname === paths.square}
        onReport={setReporting}
      />
      <div className="mt-8">
        {list.hasMore ? (
          <MoreLink onMore={list.more} status={list.status} to={pageAddress(list.next)} />
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
