import { type KeyboardEvent, useRef } from "react";
import { playerCopy } from "~/copy/player";
import { site } from "~/copy/site";
import { IconButton } from "~/ui/button";
import { Badge } from "~/ui/chip";
import { Icon } from "~/ui/icons/icon";
import { keyAction } from "./keys";
import { Clock, PositionSlider } from "./progress";
import { usePlayer, usePlayerStage } from "./provider";
import { DownloadMenu, SpeedMenu } from "./tools";
import { useMediaSession } from "./use-media-session";
import { usePageRoom } from "./use-page-room";
import { useWaveform } from "./use-waveform";

const pillGapPx = 12;
/** The waveform's shadow tree opens these parts to style sheets: short steps below, figures above them. */
const ruler =
  "[&>*::part(hover-label)]:rounded-sm [&>*::part(timeline-notch)]:![justify-content:flex-start] [&>*::part(timeline-notch-tick)]:![height:4px]";

/** The waveform keeps its size while the bar is hidden, so that it can be drawn before it shows. */
export function Bar() {
  const bar = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const { state, media } = usePlayerStage();
  const { stop } = usePlayer();
  const { isShown, isCollapsed } = state;
  useWaveform(canvas);
  useMediaSession(state, media, stop);
  usePageRoom(bar, isShown, isCollapsed ? pillGapPx : 0);
  const onKeyDown = useKeys();

  const place = isCollapsed
    ? "bottom-[calc(var(--tabbar)+12px)] right-3 max-w-[calc(100vw-24px)] rounded-full border p-1 shadow-card md:right-6"
    : "inset-x-0 bottom-tabbar border-t md:pb-[env(safe-area-inset-bottom)]";
  return (
    <section
      aria-label={playerCopy.region}
      className={`fixed z-20 border-line bg-surface transition-[opacity,transform] ${place} ${isShown ? "" : "invisible translate-y-4 opacity-0"}`}
      onKeyDown={onKeyDown}
      ref={bar}
    >
      <div
        className={`mx-auto flex max-w-page flex-wrap items-center gap-x-2 md:flex-nowrap md:gap-x-4 ${isCollapsed ? "" : "px-4 py-2 md:px-6 md:py-2.5"}`}
      >
        <PlayButton />
        <Title />
        <div
          className={`relative order-last w-full min-w-0 pt-1 md:order-none md:w-auto md:flex-1 md:pt-0 ${isCollapsed ? "hidden" : ""}`}
        >
          <PositionSlider sliderRef={slider} />
          <div
            className={`h-[66px] overflow-hidden rounded-sm leading-none peer-focus-visible:outline peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-seal ${ruler}`}
            onPointerUp={() => slider.current?.focus({ preventScroll: true })}
            ref={canvas}
          />
        </div>
        <span className={`hidden text-sm text-muted ${isCollapsed ? "" : "md:inline"}`}>
          <Clock />
        </span>
        <Buttons />
      </div>
    </section>
  );
}

function PlayButton() {
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

function Title() {
  const { track, isCollapsed } = usePlayerStage().state;
  return (
    <div className={`min-w-0 ${isCollapsed ? "max-w-[10rem]" : "flex-1 md:w-44 md:flex-none lg:w-52"}`}>
      <p className="truncate text-sm font-semibold leading-5">{track?.title}</p>
      <p className="truncate text-xs text-muted">
        <span className={isCollapsed ? "" : "md:hidden"}>
          <Clock />
          <span className="ml-2">{site.aiBadge}</span>
        </span>
        {!isCollapsed && track?.subtitle && <span className="hidden md:inline">{track.subtitle}</span>}
      </p>
    </div>
  );
}

function Buttons() {
  const { state, dispatch } = usePlayerStage();
  const { stop } = usePlayer();
  const { isCollapsed } = state;
  return (
    <div className="flex items-center">
      {!isCollapsed && (
        <>
          <span className="mr-1 hidden lg:inline">
            <Badge>{site.aiBadge}</Badge>
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

/** Keys work wherever in the player the focus is. */
function useKeys() {
  const { state, media } = usePlayerStage();
  const { toggle } = usePlayer();
  return (event: KeyboardEvent<HTMLElement>) => {
    if (!media || !(event.target instanceof HTMLElement)) return;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const action = keyAction(
      { key: event.key, target: event.target.tagName, hasModifier },
      { positionSeconds: media.currentTime, durationSeconds: state.durationSeconds },
    );
    if (!action) return;
    event.preventDefault();
    if (action.type === "toggle") toggle();
    else media.currentTime = action.toSeconds;
  };
}
