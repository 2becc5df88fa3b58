import { Anchor, Content, Portal, Root } from "@radix-ui/react-popover";
import { type ReactNode, useMemo } from "react";
import { useBackToClose } from "~/ui/overlay-history";

interface PopoverProps {
  label: string;
  /** What it points at, on the screen. */
  rect: DOMRect;
  onClose(): void;
  children: ReactNode;
}

/** A card beside a place of the text; Escape, Back and a press elsewhere close it. */
export function Popover({ label, rect, onClose, children }: PopoverProps) {
  useBackToClose(onClose);
  const anchor = useMemo(() => {
    const scrolled = { x: window.scrollX, y: window.scrollY };
    const getBoundingClientRect = () =>
      new DOMRect(rect.x + scrolled.x - window.scrollX, rect.y + scrolled.y - window.scrollY, rect.width, rect.height);
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
