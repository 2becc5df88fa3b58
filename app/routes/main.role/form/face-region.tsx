import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { photoCopy as words } from "~/copy/photo";
import type { PictureRegion } from "~server/portrait/photo-face";

/** Share of the picture per arrow key press. */
const step = 0.01;
const smallest = 0.03;

const directions = new Map<string, readonly [number, number]>([
  ["ArrowLeft", [-step, 0]],
  ["ArrowRight", [step, 0]],
  ["ArrowUp", [0, -step]],
  ["ArrowDown", [0, step]],
]);

interface FaceRegionProps {
  label: string;
  region: PictureRegion;
  onChange(region: PictureRegion): void;
}

/** A frame over the picture: dragged to move it, its corner to size it; arrow keys do both. */
export function FaceRegion({ label, region, onChange }: FaceRegionProps) {
  const drag = useRef<{ x: number; y: number; sizes: boolean; from: PictureRegion } | null>(null);
  const start = (event: PointerEvent<HTMLElement>, sizes: boolean) => {
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, sizes, from: region };
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const picture = event.currentTarget.closest("[data-region]")?.parentElement?.getBoundingClientRect();
    if (!drag.current || !picture) return;
    const { sizes, from } = drag.current;
    const x = (event.clientX - drag.current.x) / picture.width;
    const y = (event.clientY - drag.current.y) / picture.height;
    onChange(sizes ? sizedBy(from, 2 * x, 2 * y) : movedBy(from, x, y));
  };
  const end = () => {
    drag.current = null;
  };
  const press = (event: KeyboardEvent) => {
    const direction = directions.get(event.key);
    if (!direction) return;
    const [x, y] = direction;
    event.preventDefault();
    onChange(event.shiftKey ? sizedBy(region, x, y) : movedBy(region, x, y));
  };
  const percent = (share: number) => `${100 * share}%`;
  return (
    <div
      className="absolute"
      data-region
      style={{
        left: percent(region.x - region.width / 2),
        top: percent(region.y - region.height / 2),
        width: percent(region.width),
        height: percent(region.height),
      }}
    >
      <button
        aria-label={words.region(label)}
        className="absolute inset-0 cursor-move [touch-action:none] rounded border-2 border-[white] outline outline-2 outline-seal before:absolute before:left-1/2 before:top-1/2 before:h-11 before:w-11 before:[translate:-50%_-50%] focus-visible:outline-4"
        onKeyDown={press}
        onPointerCancel={end}
        onPointerDown={(event) => start(event, false)}
        onPointerMove={move}
        onPointerUp={end}
        type="button"
      />
      <span
        aria-hidden="true"
        className="absolute -bottom-2 -right-2 h-4 w-4 cursor-nwse-resize [touch-action:none] rounded-full border-2 border-[white] bg-seal before:absolute before:-inset-1 before:[translate:4px_4px]"
        onPointerCancel={end}
        onPointerDown={(event) => start(event, true)}
        onPointerMove={move}
        onPointerUp={end}
      />
    </div>
  );
}

const sizedBy = (region: PictureRegion, x: number, y: number) =>
  keepInside({ ...region, width: region.width + x, height: region.height + y });
const movedBy = (region: PictureRegion, x: number, y: number) =>
  keepInside({ ...region, x: region.x + x, y: region.y + y });

/** Keeps a region within the picture. */
function keepInside({ x, y, width, height }: PictureRegion): PictureRegion {
  const [wide, tall] = [Math.min(0.9, Math.max(smallest, width)), Math.min(0.9, Math.max(smallest, height))];
  const within = (middle: number, size: number) => Math.min(1 - size / 2, Math.max(size / 2, middle));
  return { x: within(x, wide), y: within(y, tall), width: wide, height: tall };
}
