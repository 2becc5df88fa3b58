import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { roleFormCopy } from "~/copy/roles";
import { reportPictureFailure } from "~/features/portrait/still";
import { Button } from "~/ui/button";
import { findPhotoFace } from "~server/portrait/find-face";
import type { PhotoFace, PictureRegion } from "~server/portrait/parameters";

const words = roleFormCopy.photo;
/** Share of the picture per arrow key press. */
const step = 0.01;
const smallest = 0.03;
const searchWidthPx = 320;

/** Usual place of a mouth in a portrait; the initial value if none was detected. */
const usualMouth: PictureRegion = { x: 0.5, y: 0.62, width: 0.16, height: 0.08 };
const usualEyes: PictureRegion[] = [0.42, 0.58].map((x) => ({ x, y: 0.42, width: 0.1, height: 0.07 }));

interface FaceRegionsProps {
  src: string;
  /** The confirmed regions; null while the photo stays still. */
  face: PhotoFace | null;
  onFace(face: PhotoFace | null): void;
}

/** A photo with the proposed mouth and eyes, to be moved, sized and confirmed; what was confirmed can be taken back. */
export function FaceRegions({ src, face, onFace }: FaceRegionsProps) {
  const [draft, setDraft] = useState<PhotoFace | null>(face);
  const [isFound, setFound] = useState(true);
  const image = useRef<HTMLImageElement>(null);
  const propose = () => {
    const found = image.current?.naturalWidth ? findPhotoFace(readPixels(image.current)) : null;
    setFound(found !== null);
    setDraft(found ?? { mouth: usualMouth, eyes: [] });
  };
  const latest = useRef({ face, propose });
  useEffect(() => {
    latest.current = { face, propose };
  });
  // The picture may have loaded before hydration.
  useEffect(() => {
    if (src && image.current?.complete && !latest.current.face) latest.current.propose();
  }, [src]);
  const change = (next: PhotoFace) => {
    setDraft(next);
    if (face) onFace(next);
  };
  const replaceEye = (index: number, region: PictureRegion) =>
    draft && change({ ...draft, eyes: draft.eyes.map((eye, place) => (place === index ? region : eye)) });
  return (
    <div className="grid w-full max-w-[420px] gap-3">
      <div className="relative overflow-hidden rounded border border-line">
        <img
          alt={words.chosen}
          className="block w-full"
          onError={() => reportPictureFailure(src)}
          onLoad={() => !face && propose()}
          ref={image}
          src={src}
        />
        {draft && (
          <>
            <Region label={words.mouth} onChange={(mouth) => change({ ...draft, mouth })} region={draft.mouth} />
            {draft.eyes.map((eye, index) => (
              <Region
                key={words.eyes[index]}
                label={words.eyes[index] ?? ""}
                onChange={(region) => replaceEye(index, region)}
                region={eye}
              />
            ))}
          </>
        )}
      </div>
      <p className="text-sm" role="status">
        {face ? words.confirmed : isFound ? words.proposed : words.notFound}
      </p>
      <p className="text-xs text-muted">{words.keys}</p>
      <label className="flex min-h-[44px] items-center gap-3 text-sm">
        <input
          checked={draft?.eyes.length === 2}
          className="h-5 w-5 accent-seal"
          onChange={({ target }) => draft && change({ ...draft, eyes: target.checked ? usualEyes : [] })}
          type="checkbox"
        />
        {words.blink}
      </label>
      <div className="flex flex-wrap gap-2">
        {face ? (
          <Button onClick={() => onFace(null)}>{words.undo}</Button>
        ) : (
          <Button disabled={!draft} kind="primary" onClick={() => draft && onFace(draft)}>
            {words.confirm}
          </Button>
        )}
        <Button kind="quiet" onClick={propose}>
          {words.search}
        </Button>
      </div>
    </div>
  );
}

const directions = new Map<string, readonly [number, number]>([
  ["ArrowLeft", [-step, 0]],
  ["ArrowRight", [step, 0]],
  ["ArrowUp", [0, -step]],
  ["ArrowDown", [0, step]],
]);

interface RegionProps {
  label: string;
  region: PictureRegion;
  onChange(region: PictureRegion): void;
}

/** A frame over the picture: dragged to move it, its corner to size it; arrow keys do both. */
function Region({ label, region, onChange }: RegionProps) {
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
    const [x, y] = [
      (event.clientX - drag.current.x) / picture.width,
      (event.clientY - drag.current.y) / picture.height,
    ];
    onChange(
      keepInside(
        sizes
          ? { ...from, width: from.width + 2 * x, height: from.height + 2 * y }
          : { ...from, x: from.x + x, y: from.y + y },
      ),
    );
  };
  const end = () => {
    drag.current = null;
  };
  const press = (event: KeyboardEvent) => {
    const direction = directions.get(event.key);
    if (!direction) return;
    const [x, y] = direction;
    event.preventDefault();
    onChange(
      keepInside(
        event.shiftKey
          ? { ...region, width: region.width + x, height: region.height + y }
          : { ...region, x: region.x + x, y: region.y + y },
      ),
    );
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

/** Keeps a region within the picture. */
function keepInside({ x, y, width, height }: PictureRegion): PictureRegion {
  const [wide, tall] = [Math.min(0.9, Math.max(smallest, width)), Math.min(0.9, Math.max(smallest, height))];
  const within = (middle: number, size: number) => Math.min(1 - size / 2, Math.max(size / 2, middle));
  return { x: within(x, wide), y: within(y, tall), width: wide, height: tall };
}

function readPixels(image: HTMLImageElement): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = Math.min(searchWidthPx, image.naturalWidth);
  canvas.height = Math.max(1, Math.round((canvas.width * image.naturalHeight) / image.naturalWidth));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context?.getImageData(0, 0, canvas.width, canvas.height) ?? new ImageData(1, 1);
}
