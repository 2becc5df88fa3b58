import { Link } from "@remix-run/react";
import { reportCopy, squareCopy } from "~/copy/square";
import { LevelRing } from "~/features/player/level-ring";
import { usePreviews } from "~/features/player/use-previews";
import { HumanCard, type SquareHuman } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Tags } from "~/ui/card";
import { Skeleton } from "~/ui/feedback";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";

interface HumanListProps {
  humans: readonly SquareHuman[];
  isPending: boolean;
  isLoadingMore: boolean;
  onReport(human: SquareHuman): void;
}

const placeholders = [1, 2, 3, 4];

/** The public roles as cards with a preview. */
export function HumanList({ humans, isPending, isLoadingMore, onReport }: HumanListProps) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
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

/** The actions beside the one that most people want. */
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
