import { type RefObject, useEffect, useRef, useState } from "react";
import { formatClock } from "~/copy/format";
import { playerCopy, siteCopy } from "~/copy/site";
import { Buttons, PlayButton } from "./buttons";
import { useKeys, useMediaSession } from "./controls";
import { useKeptSpeed } from "./kept-speed";
import { usePlayer, usePlayerStage } from "./provider";
import { useWaveform } from "./waveform";

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
  const chooseSpeed = useKeptSpeed();
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
      className={`player-bar fixed z-20 border-line bg-surface transition-[opacity,translate] ${place} ${isShown ? "" : "invisible [translate:0_1rem] opacity-0"}`}
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
        <Buttons onSpeed={chooseSpeed} />
      </div>
    </section>
  );
}

function Title() {
  const { track, isCollapsed } = usePlayerStage().state;
  return (
    <div className={`min-w-0 ${isCollapsed ? "max-w-[10rem]" : "flex-1 md:w-44 md:flex-none lg:w-52"}`}>
      <p className="truncate text-sm font-semibold leading-5" translate="no">
        {track?.title}
      </p>
      <p className="truncate text-xs text-muted tight:whitespace-normal">
        <span className={isCollapsed ? "" : "md:hidden"}>
          {/* First, so that a narrow phone cuts the time and never the label. */}
          <span className="mr-2">{siteCopy.aiBadge}</span>
          <Clock />
        </span>
        {!isCollapsed && track?.subtitle && <span className="hidden md:inline">{track.subtitle}</span>}
      </p>
    </div>
  );
}

/** mm:ss / mm:ss; on the narrowest phones the position alone, since the ruler shows the length. */
export function Clock() {
  const { state, media } = usePlayerStage();
  const position = usePosition(media);
  return (
    <span className="tabular whitespace-nowrap" translate="no">
      {formatClock(state.durationSeconds > 0 ? position : 0)}
      <span className="max-[26em]:hidden">{` / ${formatClock(state.durationSeconds)}`}</span>
    </span>
  );
}

/** The waveform is a picture; this is the control behind it for keyboards and assistive technology. */
export function PositionSlider({ sliderRef }: { sliderRef: RefObject<HTMLInputElement> }) {
  const { state, media } = usePlayerStage();
  const position = usePosition(media);
  const { durationSeconds } = state;
  return (
    <input
      aria-label={playerCopy.position}
      aria-valuetext={playerCopy.positionText(formatClock(position), formatClock(durationSeconds))}
      className="peer sr-only"
      max={durationSeconds}
      min={0}
      onChange={(event) => {
        if (media) media.currentTime = Number(event.target.value);
      }}
      ref={sliderRef}
      step={0.1}
      type="range"
      value={Math.min(position, durationSeconds)}
    />
  );
}

/** The layouts keep this much room at the foot of the page. */
const roomVariable = "--player";

/** Keeps the page's room as high as the bar, gap to its lower edge included, while it is shown. */
export function usePageRoom(bar: RefObject<HTMLElement>, isShown: boolean, gapPx: number): void {
  useEffect(() => {
    const element = bar.current;
    if (!element || !isShown) return;
    const root = document.documentElement;
    const measure = () => root.style.setProperty(roomVariable, `${element.offsetHeight + gapPx}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
      root.style.removeProperty(roomVariable);
    };
  }, [bar, isShown, gapPx]);
}

const moves = ["timeupdate", "seeking", "emptied", "loadedmetadata"] as const;

/** Seconds played so far, as often as the browser tells: about four times a second. */
export function usePosition(media: HTMLAudioElement | null): number {
  const [seconds, setSeconds] = useState(media?.currentTime ?? 0);
  useEffect(() => {
    if (!media) return;
    const read = () => setSeconds(media.currentTime);
    read();
    for (const move of moves) media.addEventListener(move, read);
    return () => {
      for (const move of moves) media.removeEventListener(move, read);
    };
  }, [media]);
  return seconds;
}
