import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { serviceCopy as words } from "~/copy/site";
import { IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ServedIcon } from "~/ui/icons/served-icon";
import { createSavedText } from "~/ui/store";

const savedHidden = createSavedText("service-hidden");

interface ServiceButtonProps {
  onOpen(): void;
  /** CSS pixels at the top of the viewport that belong to a notice. */
  top: number;
}

/** Floats over the page: dragged by pointer or arrow keys, pressed for the contact panel. `lazy` wants a default export. */
export default function ServiceButton({ onOpen, top }: ServiceButtonProps) {
  const [isHidden, setHidden] = useState(() => savedHidden.read() !== null);
  const [spot, setSpot] = useState<Spot>([0, 0]);
  const dragging = useDragging(spot, () => travel(top), setSpot, onOpen);
  if (isHidden) return null;
  const hide = () => {
    savedHidden.write("1");
    setHidden(true);
  };
  return (
    <section
      aria-label={words.region}
      className="fixed z-20 grid justify-items-center overflow-hidden rounded-full border border-line bg-surface shadow-card"
      style={{ width: widthPx, height: heightPx, ...spotStyle(spot, top) }}
    >
      <button
        {...dragging}
        aria-description={words.hint}
        aria-label={words.open}
        className="grid h-[56px] w-full cursor-grab touch-none place-items-center rounded-full text-seal outline-offset-[-3px] active:cursor-grabbing"
        title={`${words.open}（${words.hint}）`}
        type="button"
      >
        <ServedIcon name="lucide:headset" size={26} />
      </button>
      <IconButton className="text-muted outline-offset-[-3px] hover:text-ink" label={words.hide} onClick={hide}>
        <Icon name="close" size={16} />
      </IconButton>
    </section>
  );
}

type Spot = readonly [x: number, y: number];

interface Bounds {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A pointer that moves less presses. */
const tapPx = 3;
const stepPx = 20;
const steps: Record<string, Spot> = {
  ArrowLeft: [-stepPx, 0],
  ArrowRight: [stepPx, 0],
  ArrowUp: [0, -stepPx],
  ArrowDown: [0, stepPx],
};

/** Handlers of a button that moves by pointer and arrow keys within `bounds()`; the press that ends a move is ignored. */
function useDragging(spot: Spot, bounds: () => Bounds, onMove: (spot: Spot) => void, onPress: () => void) {
  const drag = useRef({ from: [0, 0] as Spot, pointer: -1, hasMoved: false });
  const moveTo = ([x, y]: Spot) => {
    const { left, right, top, bottom } = bounds();
    onMove([Math.min(right, Math.max(left, x)), Math.min(bottom, Math.max(top, y))]);
  };
  const end = () => {
    drag.current.pointer = -1;
  };
  return {
    onPointerDown({ button, pointerId, clientX, clientY, currentTarget }: PointerEvent) {
      drag.current.hasMoved = false;
      if (button !== 0) return;
      currentTarget.setPointerCapture(pointerId);
      drag.current = { from: [clientX - spot[0], clientY - spot[1]], pointer: pointerId, hasMoved: false };
    },
    onPointerMove({ pointerId, clientX, clientY }: PointerEvent) {
      const { from, pointer, hasMoved } = drag.current;
      if (pointerId !== pointer) return;
      const next: Spot = [clientX - from[0], clientY - from[1]];
      if (!hasMoved && Math.hypot(next[0] - spot[0], next[1] - spot[1]) < tapPx) return;
      drag.current.hasMoved = true;
      moveTo(next);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClick({ detail }: { detail: number }) {
      if (detail === 0 || !drag.current.hasMoved) onPress();
    },
    onKeyDown(event: KeyboardEvent) {
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault(); // or the page would scroll
      moveTo([spot[0] + step[0], spot[1] + step[1]]);
    },
  };
}

export const widthPx = 56;

export const heightPx = 104;

/** Specification section 9. */
export const marginPx = 20;

const playerPx = () => Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--player")) || 0;

/** How far the button may go from where it starts, to every edge of the viewport that is free. */
export function travel(topPx: number) {
  const { clientWidth } = document.documentElement;
  return {
    left: -(clientWidth - widthPx - marginPx),
    right: marginPx,
    top: -(window.innerHeight - heightPx - marginPx - playerPx() - topPx),
    bottom: marginPx,
  };
}

/** Clamped by the style sheet itself, so that a smaller window or a player that opens never pushes it out of sight. */
export function spotStyle([x, y]: Spot, topPx: number): CSSProperties {
  return {
    right: `clamp(0px, ${marginPx - x}px, 100% - ${widthPx}px)`,
    bottom: `clamp(var(--player, 0px), var(--player, 0px) + ${marginPx - y}px, 100% - ${heightPx + topPx}px)`,
  };
}
