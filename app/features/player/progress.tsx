import type { RefObject } from "react";
import { formatClock } from "~/copy/format";
import { playerCopy } from "~/copy/site";
import { usePlayerStage } from "./provider";
import { usePosition } from "./use-position";

/** mm:ss / mm:ss */
export function Clock() {
  const { state, media } = usePlayerStage();
  const position = usePosition(media);
  return (
    <span className="tabular whitespace-nowrap">
      {formatClock(state.durationSeconds > 0 ? position : 0)} / {formatClock(state.durationSeconds)}
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
