import { playerCopy, siteCopy } from "~/copy/site";
import { IconButton } from "~/ui/button";
import { Badge } from "~/ui/chip";
import { Icon } from "~/ui/icons/icon";
import { usePlayer, usePlayerStage } from "./provider";
import { DownloadMenu, SpeedMenu } from "./tools";

export function PlayButton() {
  const { isPlaying, isLoading, toggle } = usePlayer();
  return (
    <IconButton
      className="bg-ink text-paper md:h-12 md:w-12"
      label={isPlaying ? playerCopy.pause : playerCopy.play}
      onClick={toggle}
    >
      <Icon
        className={isLoading ? "animate-spin" : undefined}
        name={isLoading ? "spinner" : isPlaying ? "pause" : "play"}
        size={20}
      />
    </IconButton>
  );
}

export function Buttons() {
  const { state, dispatch } = usePlayerStage();
  const { stop } = usePlayer();
  const { isCollapsed } = state;
  return (
    <div className="flex items-center">
      {!isCollapsed && (
        <>
          <span className="mr-1 hidden lg:inline">
            <Badge>{siteCopy.aiBadge}</Badge>
          </span>
          <SpeedMenu />
          <DownloadMenu />
        </>
      )}
      <IconButton
        aria-expanded={!isCollapsed}
        label={isCollapsed ? playerCopy.expand : playerCopy.collapse}
        onClick={() => dispatch({ type: "collapsed", isCollapsed: !isCollapsed })}
      >
        <Chevron isUp={isCollapsed} />
      </IconButton>
      <IconButton
        className={`text-muted hover:bg-wash hover:text-ink ${isCollapsed ? "" : "max-md:hidden"}`}
        label={playerCopy.close}
        onClick={stop}
      >
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

function Chevron({ isUp }: { isUp: boolean }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height="20"
      stroke="currentColor"
      strokeLinecap="round"
      strokeWidth="1.7"
      viewBox="0 0 24 24"
      width="20"
    >
      <path d={isUp ? "m6 15 6-6 6 6" : "m6 9 6 6 6-6"} />
    </svg>
  );
}
