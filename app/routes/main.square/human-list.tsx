import { Link } from "@remix-run/react";
import { reportCopy, squareCopy } from "~/copy/square";
import { LevelRing } from "~/features/player/level-ring";
import { usePreviews } from "~/features/player/use-previews";
import { HumanCard, type SquareHuman } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";
import { useHasCall } from "~/offer";
import { paths } from "~/paths";
import { IconButton } from "~/ui/button";
import { Tags } from "~/ui/card";
import { Skeleton } from "~/ui/feedback";
import { ToolIcon } from "~/ui/icons/tool-icon";

interface HumanListProps {
  humans: readonly SquareHuman[];
  isPending: boolean;
  /** Shows placeholders at the end. */
  isLoadingMore: boolean;
  onReport(human: SquareHuman): void;
}

const placeholders = [1, 2, 3, 4];

/** The public roles as cards with a preview. */
export function HumanList({ humans, isPending, isLoadingMore, onReport }: HumanListProps) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  const canReport = useHasCall("roleReport");
  return (
    <ul
      aria-busy={isPending || isLoadingMore}
      aria-label={squareCopy.results}
      className={`grid grid-cols-2 gap-3 tight:grid-cols-1 transition-opacity md:grid-cols-3 md:gap-4 lg:grid-cols-4 ${isPending ? "opacity-60" : ""}`}
    >
      {humans.map((human) => (
        <li key={human.roleId}>
          <HumanCard
            colorMode={colorMode}
            corner={canReport && <ReportButton human={human} onReport={onReport} />}
            human={human}
            onListen={listen}
            ring={human.avatar && <LevelRing />}
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

function ReportButton({ human, onReport }: { human: SquareHuman; onReport(human: SquareHuman): void }) {
  return (
    <IconButton label={reportCopy.open(human.name)} onClick={() => onReport(human)}>
      <ToolIcon name="flag" size={18} />
    </IconButton>
  );
}

function Facts({ human: { roleId, name, tags, useNum } }: { human: SquareHuman }) {
  return (
    <div className="human-facts">
      <Tags tags={tags} />
      {useNum !== null && <p>{squareCopy.uses(useNum)}</p>}
      <Link aria-label={squareCopy.personOf(name)} className="human-link" discover="none" to={paths.person(roleId)}>
        {squareCopy.person}
      </Link>
      <div>
        <Link
          aria-label={squareCopy.cloneWith(name)}
          className="human-link"
          discover="none"
          to={paths.cloneWith(roleId)}
        >
          {squareCopy.clone}
        </Link>
        <Link
          aria-label={squareCopy.dubWith(name)}
          className="human-link"
          discover="none"
          to={paths.dubbingWith(roleId)}
        >
          {squareCopy.dub}
        </Link>
      </div>
    </div>
  );
}
