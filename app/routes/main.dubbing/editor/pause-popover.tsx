import { readingCopy } from "~/copy/dubbing";
import { formatPause, pauseSeconds } from "~/copy/generation";
import { Button } from "~/ui/button";
import { Popover } from "./popover";

interface PausePopoverProps {
  rect: DOMRect;
  seconds: number;
  /** null takes the pause away. */
  onChoose(seconds: number | null): void;
  onClose(): void;
}

/** How long a pause that stands in the text lasts. */
export function PausePopover({ rect, seconds, onChoose, onClose }: PausePopoverProps) {
  return (
    <Popover label={readingCopy.pauseLabel} onClose={onClose} rect={rect}>
      <p className="px-1 text-sm font-semibold">{readingCopy.pauseLabel}</p>
      <div className="mt-2 grid grid-cols-2 gap-2">
        {pauseSeconds.map((value) => (
          <Button
            aria-pressed={value === seconds}
            className="aria-pressed:border-ink aria-pressed:bg-wash"
            key={value}
            onClick={() => onChoose(value)}
          >
            {formatPause(value)}
          </Button>
        ))}
      </div>
      <Button className="mt-2 w-full" kind="quiet" onClick={() => onChoose(null)}>
        {readingCopy.removePause}
      </Button>
    </Popover>
  );
}
