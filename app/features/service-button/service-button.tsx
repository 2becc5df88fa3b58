import { useDrag } from "@use-gesture/react";
import { useState } from "react";
import { serviceCopy as words } from "~/copy/site";
import { IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ServedIcon } from "~/ui/icons/served-icon";
import { heightPx, spotStyle, travel, widthPx } from "./spot";

const hiddenKey = "service-hidden";
const stepPx = 20;

interface ServiceButtonProps {
  onOpen(): void;
  /** CSS pixels at the top of the viewport that belong to a notice. */
  top: number;
}

/** Floats over the page: dragged by pointer or arrow keys, pressed for the contact panel. `lazy` wants a default export. */
export default function ServiceButton({ onOpen, top }: ServiceButtonProps) {
  const [isHidden, setHidden] = useState(wasHidden);
  const [spot, setSpot] = useState<[number, number]>([0, 0]);
  const bind = useDrag(
    ({ offset, event }) => {
      if (event.type === "keydown") event.preventDefault(); // or the page would scroll
      setSpot([offset[0], offset[1]]);
    },
    { from: () => spot, bounds: () => travel(top), filterTaps: true, keyboardDisplacement: stepPx },
  );
  if (isHidden) return null;
  const hide = () => {
    keepHidden();
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
        className="grid h-[56px] w-full cursor-grab touch-none place-items-center rounded-full text-seal outline-offset-[-3px] active:cursor-grabbing"
        onClick={onOpen}
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

function wasHidden(): boolean {
  try {
    return sessionStorage.getItem(hiddenKey) !== null;
  } catch {
    return false;
  }
}

function keepHidden() {
  try {
    sessionStorage.setItem(hiddenKey, "1");
  } catch {}
}
