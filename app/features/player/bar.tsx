import { useRef } from "react";
import { playerCopy, siteCopy } from "~/copy/site";
import { Buttons, PlayButton } from "./buttons";
import { Clock, PositionSlider } from "./progress";
import { usePlayer, usePlayerStage } from "./provider";
import { useKeys } from "./use-keys";
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

function Title() {
  const { track, isCollapsed } = usePlayerStage().state;
  return (
    <div className={`min-w-0 ${isCollapsed ? "max-w-[10rem]" : "flex-1 md:w-44 md:flex-none lg:w-52"}`}>
      <p className="truncate text-sm font-semibold leading-5">{track?.title}</p>
      <p className="truncate text-xs text-muted">
        <span className={isCollapsed ? "" : "md:hidden"}>
          <Clock />
          <span className="ml-2">{siteCopy.aiBadge}</span>
        </span>
        {!isCollapsed && track?.subtitle && <span className="hidden md:inline">{track.subtitle}</span>}
      </p>
    </div>
  );
}
