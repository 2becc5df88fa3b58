import { type FocusEvent, useRef } from "react";
import { formatSpeed } from "~/copy/format";
import { playerCopy, siteCopy } from "~/copy/site";
import { Badge, IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { noteOf } from "./downloads";
import { speeds } from "./kept-speed";
import { usePlayer, usePlayerStage } from "./provider";

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

interface ButtonsProps {
  onSpeed(speed: number): void;
}

export function Buttons({ onSpeed }: ButtonsProps) {
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
          <SpeedMenu onSpeed={onSpeed} />
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
      <IconButton className="text-muted hover:bg-wash hover:text-ink" label={playerCopy.close} onClick={stop}>
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

function SpeedMenu({ onSpeed }: ButtonsProps) {
  const { state } = usePlayerStage();
  return (
    <select
      aria-label={playerCopy.speed}
      className="tabular h-11 min-w-[44px] cursor-pointer appearance-none rounded-full bg-transparent px-1 text-center md:px-2 text-sm text-muted hover:bg-wash hover:text-ink"
      onChange={(event) => onSpeed(Number(event.target.value))}
      title={playerCopy.speed}
      value={state.speed}
    >
      {speeds.map((speed) => (
        <option className="bg-surface text-ink" key={speed} value={speed}>
          {formatSpeed(speed)}
        </option>
      ))}
    </select>
  );
}

export function DownloadMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const { track } = usePlayerStage().state;
  const files = track?.downloads ?? [];
  if (files.length === 0) return null;
  const close = () => menu.current?.removeAttribute("open");
  const closeOnLeave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };
  return (
    <details
      className="relative"
      onBlur={closeOnLeave}
      onKeyDown={(event) => event.key === "Escape" && close()}
      ref={menu}
    >
      <summary
        aria-label={playerCopy.download}
        className="grid h-11 w-11 cursor-pointer list-none place-items-center rounded-full text-muted hover:bg-wash hover:text-ink [&::-webkit-details-marker]:hidden"
        title={playerCopy.download}
      >
        <Icon name="download" />
      </summary>
      <ul className="absolute bottom-full right-0 mb-2 w-52 rounded-card border border-line bg-surface p-1.5 shadow-card">
        {files.map((file) => (
          <li key={file.format}>
            <a
              className="flex min-h-[44px] items-center justify-between gap-3 rounded px-3 text-sm hover:bg-wash"
              download
              href={file.url}
              onClick={close}
            >
              {playerCopy.downloadAs(file.format.toUpperCase())}
              <span className="tabular text-xs text-muted">{noteOf(file)}</span>
            </a>
          </li>
        ))}
        {files.some(({ hasMark }) => hasMark) && (
          <li className="px-3 py-2 text-xs text-muted">{playerCopy.markNote}</li>
        )}
      </ul>
    </details>
  );
}
