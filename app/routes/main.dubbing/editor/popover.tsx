import { Anchor, Content, Portal, Root } from "@radix-ui/react-popover";
import { type ReactNode, useMemo } from "react";
import { readingCopy } from "~/copy/dubbing";
import { formatPause, pauseSeconds } from "~/copy/generation";
import { Button } from "~/ui/button";
import { useBackToClose } from "~/ui/overlay-history";

interface PopoverProps {
  label: string;
  /** The anchor in viewport coordinates. */
  rect: DOMRect;
  onClose(): void;
  children: ReactNode;
}

/** A card beside a part of the text. Escape, Back and a press outside close it. */
export function Popover({ label, rect, onClose, children }: PopoverProps) {
  useBackToClose(onClose);
  const anchor = useMemo(() => {
    const scroll = { x: window.scrollX, y: window.scrollY };
    const getBoundingClientRect = () =>
      new DOMRect(rect.x + scroll.x - window.scrollX, rect.y + scroll.y - window.scrollY, rect.width, rect.height);
    return { current: { getBoundingClientRect } };
  }, [rect]);
  return (
    <Root onOpenChange={(isOpen) => isOpen || onClose()} open>
      <Anchor virtualRef={anchor} />
      <Portal>
        <Content
          align="start"
          aria-label={label}
          className="z-30 max-h-[var(--radix-popover-content-available-height)] w-[288px] max-w-[calc(100vw-24px)] overflow-y-auto rounded-card border border-line bg-surface p-3 shadow-card outline-none"
          collisionPadding={{ top: 72, bottom: 80, left: 12, right: 12 }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          side="bottom"
          sideOffset={8}
        >
          {children}
        </Content>
      </Portal>
    </Root>
  );
}

interface PausePopoverProps {
  rect: DOMRect;
  seconds: number;
  /** Null removes the pause. */
  onChoose(seconds: number | null): void;
  onClose(): void;
}

/** The length of a pause in the text. */
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
