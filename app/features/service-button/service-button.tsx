import { useDrag } from "@use-gesture/react";
import { type CSSProperties, useState } from "react";
import { serviceCopy as words } from "~/copy/site";
import { IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ServedIcon } from "~/ui/icons/served-icon";
import { createSavedText } from "~/ui/store";

const savedHidden = createSavedText("service-hidden");
const savedSpot = createSavedText("service-spot");

const stepPx = 20;

/** Pixels right and down of the first place. */
type ButtonPosition = [number, number];

function readSpot(): ButtonPosition {
  const [x, y] = (savedSpot.read() ?? "").split(",").map(Number);
  return [x || 0, y || 0];
}

interface ServiceButtonProps {
  onOpen(): void;
  /** CSS pixels at the top of the viewport that belong to a notice. */
  top: number;
}

/** Floats over the page: dragged by pointer or arrow keys, pressed for the contact panel. `lazy` requires a default export. */
export default function ServiceButton({ onOpen, top }: ServiceButtonProps) {
  const [isHidden, setHidden] = useState(() => savedHidden.read() !== null);
  const [spot, setSpot] = useState(readSpot);
  const bind = useDrag(
    ({ offset: [x, y], event, last }) => {
      if (event.type === "keydown") event.preventDefault(); // or the page would scroll
      setSpot([x, y]);
      if (last) savedSpot.write(`${x},${y}`);
    },
    // `filterTaps` would take its threshold of 3 px from every step of a key.
    { from: () => spot, bounds: () => travel(top), filterTaps: true, threshold: 0, keyboardDisplacement: stepPx },
  );
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
        {...bind()}
        aria-description={words.hint}
        aria-label={words.open}
        className="grid h-[56px] w-full cursor-grab [touch-action:none] place-items-center rounded-full text-seal outline-offset-[-3px] active:cursor-grabbing"
        onClick={onOpen}
        title={`${words.open}（${words.hint}）`}
        type="button"
      >
        <ServedIcon name="lucide:headset" size={26} />
      </button>
      <IconButton
        className="!h-[48px] !w-full text-muted outline-offset-[-3px] hover:text-ink"
        label={words.hide}
        onClick={hide}
      >
        <Icon name="close" size={16} />
      </IconButton>
    </section>
  );
}

export const widthPx = 56;

export const heightPx = 104;

/** Specification section 9. */
export const marginPx = 20;

const playerPx = () => Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--player")) || 0;

/** Distances in pixels that the button may move from its start to each free edge of the viewport. */
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
export function spotStyle([x, y]: ButtonPosition, topPx: number): CSSProperties {
  return {
    right: `clamp(0px, ${marginPx - x}px, 100% - ${widthPx}px)`,
    bottom: `clamp(var(--player, 0px), var(--player, 0px) + ${marginPx - y}px, 100% - ${heightPx + topPx}px)`,
  };
}
