import { editorCopy } from "~/copy/dubbing/editor";
import { readingCopy } from "~/copy/dubbing/reading";
import { Button } from "~/ui/button";
import { Popover } from "./popover";

export const pauses = [0.2, 0.5, 1, 2] as const;

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
        {pauses.map((value) => (
          <Button
            aria-pressed={value === seconds}
            className="aria-pressed:border-ink aria-pressed:bg-wash"
            key={value}
            onClick={() => onChoose(value)}
          >
            {editorCopy.pauseFor(value)}
          </Button>
        ))}
      </div>
      <Button className="mt-2 w-full" kind="quiet" onClick={() => onChoose(null)}>
        {readingCopy.removePause}
      </Button>
    </Popover>
  );
}
