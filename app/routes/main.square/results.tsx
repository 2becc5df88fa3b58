import { Link, useNavigation, useRevalidator } from "@remix-run/react";
import { Suspense, useEffect, useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { reportCopy, squareCopy } from "~/copy/square";
import { LevelRing } from "~/features/player/level-ring";
import { usePlayer } from "~/features/player/provider";
import { usePreviews } from "~/features/player/use-previews";
import { HumanCard, type SquareHuman } from "~/features/portrait/picture";
import { filterQuery } from "~/features/square/filter";
import { useTheme } from "~/features/theme/theme";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { buttonClass } from "~/ui/button";
import { Tags } from "~/ui/card";
import { LiveRegion, Skeleton } from "~/ui/feedback";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { lazyDialog } from "~/ui/lazy-part";
import { Menu } from "~/ui/menu";
import { MoreLink } from "~/ui/pager";
import { type FirstPage, type PagesStatus, usePages } from "./use-pages";

const ReportDialog = lazyDialog(async () => ({ default: (await import("./report-dialog")).ReportDialog }));

/** The loaded part of the list, with links to the other pages. */
export function Results({ filter, humans, ...count }: FirstPage) {
  const { location } = useNavigation();
  const { stop, track } = usePlayer();
  const { revalidate } = useRevalidator();
  const list = usePages({ filter, humans, ...count });
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
      <LiveRegion>
        {shown.length > humans.length ? squareCopy.shown(shown.length, list.isUncounted ? null : list.total) : ""}
      </LiveRegion>
      {reporting && (
        <Suspense fallback={null}>
          <ReportDialog human={reporting} onClose={() => setReporting(null)} onReported={() => onReported(reporting)} />
        </Suspense>
      )}
    </>
  );
}

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

interface HumanListProps {
  humans: readonly SquareHuman[];
  isPending: boolean;
  isLoadingMore: boolean;
  onReport(human: SquareHuman): void;
}

const placeholders = [1, 2, 3, 4];

/** The public roles as cards with a preview. */
function HumanList({ humans, isPending, isLoadingMore, onReport }: HumanListProps) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  return (
    <ul
      aria-busy={isPending || isLoadingMore}
      aria-label={squareCopy.results}
      className={`human-grid transition-opacity ${isPending ? "opacity-60" : ""}`}
    >
      {humans.map((human) => (
        <li key={human.roleId}>
          <HumanCard
            colorMode={colorMode}
            corner={<HumanMenu human={human} onReport={onReport} />}
            human={human}
            onListen={listen}
            ring={human.avatar && <LevelRing />}
            to={paths.person(human.roleId)}
            {...stateOf(human)}
          >
            <Facts human={human} />
          </HumanCard>
        </li>
      ))}
      {isLoadingMore &&
        placeholders.map((card) => (
          <li aria-hidden="true" key={card}>
            <Skeleton className="h-[300px] rounded-card" />
          </li>
        ))}
    </ul>
  );
}

interface HumanMenuProps extends Pick<HumanListProps, "onReport"> {
  human: SquareHuman;
}

function HumanMenu({ human, onReport }: HumanMenuProps) {
  const { roleId, name } = human;
  const canReport = useHasCall("roleReport");
  return (
    <Menu
      aria-label={squareCopy.menu(name)}
      className="icon-button bg-surface text-muted hover:text-ink"
      items={() => [
        { label: squareCopy.dub, to: paths.dubbingWith(roleId) },
        { label: squareCopy.person, to: paths.person(roleId) },
        ...(canReport ? [{ label: reportCopy.go, onSelect: () => onReport(human) }] : []),
      ]}
      title={squareCopy.menu(name)}
    >
      <ToolIcon name="more" size={18} />
    </Menu>
  );
}

function Facts({ human: { roleId, name, tags, useNum } }: { human: SquareHuman }) {
  return (
    <div className="human-facts">
      <Tags tags={tags} />
      {useNum !== null && useNum > 0 && <p>{squareCopy.uses(useNum)}</p>}
      <Link aria-label={squareCopy.useOf(name)} className="human-link" discover="none" to={paths.cloneWith(roleId)}>
        {squareCopy.use}
      </Link>
    </div>
  );
}
