import { useId, useState } from "react";
import Cropper, { type Area } from "react-easy-crop";
import { errorSentences } from "~/copy/errors";
import { joinClauses } from "~/copy/format";
import { photoCopy as words } from "~/copy/photo";
import { roleFormCopy } from "~/copy/roles";
import "react-easy-crop/react-easy-crop.css";
import { Button } from "~/ui/button";
import { imageMaxSidePx, imageMinSidePx } from "~server/contract/limits";

const zoomMax = 4;
/** Distance per arrow key press. */
const stepPx = 8;

interface PhotoCropperProps {
  picture: Blob;
  /** Object URL of `picture`; null before it exists. */
  url: string | null;
  onCropped(picture: Blob): void;
  onCancel(): void;
  /** The picture cannot be used; with the reason. */
  onFault(sentence: string): void;
}

/** Crops a picture by dragging, zooming or arrow keys. */
export function PhotoCropper({ picture, url, onCropped, onCancel, onFault }: PhotoCropperProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [isPending, setPending] = useState(false);
  const zoomId = useId();

  const use = async () => {
    if (!area) return;
    setPending(true);
    const cropped = await cropPicture(picture, area);
    if (cropped) onCropped(cropped);
    else onFault(errorSentences["image-unreadable"]);
  };

  return (
    <div className="grid max-w-[420px] gap-3">
      <div className="relative aspect-[5/4] overflow-hidden rounded bg-wash">
        {url && (
          <Cropper
            aspect={5 / 4}
            crop={crop}
            cropperProps={{ "aria-label": joinClauses(words.crop, words.move), role: "group" }}
            disableAutomaticStylesInjection
            image={url}
            keyboardStep={stepPx}
            maxZoom={zoomMax}
            mediaProps={{ alt: "", onError: () => onFault(errorSentences["image-unreadable"]) }}
            onCropChange={setCrop}
            onCropComplete={(_, pixels) => setArea(pixels)}
            onMediaLoaded={({ naturalWidth, naturalHeight }) => {
              const sides = [naturalWidth, naturalHeight];
              if (sides.some((side) => side < imageMinSidePx || side > imageMaxSidePx)) onFault(words.wrongSides);
            }}
            onZoomChange={setZoom}
            zoom={zoom}
          />
        )}
      </div>
      <p className="text-xs text-muted">{words.move}</p>
      <label className="flex min-h-[44px] items-center gap-3 text-sm" htmlFor={zoomId}>
        {words.zoom}
        <input
          className="h-11 min-w-0 flex-1"
          id={zoomId}
          max={zoomMax}
          min={1}
          onChange={(event) => setZoom(Number(event.target.value))}
          step={0.05}
          type="range"
          value={zoom}
        />
      </label>
      <div className="flex flex-wrap gap-2">
        <Button className="flex-1" kind="primary" onClick={use} pending={isPending}>
          {words.use}
        </Button>
        <Button onClick={onCancel}>{roleFormCopy.cancel}</Button>
      </div>
    </div>
  );
}

/** Width of the largest portrait on a high-density screen. */
const maxWidthPx = 1000;

/** The area upright, as WebP or another format of this browser; null if the picture cannot be decoded. */
async function cropPicture(picture: Blob, { x, y, width, height }: Area): Promise<Blob | null> {
  const bitmap = await createImageBitmap(picture, { imageOrientation: "from-image" }).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, maxWidthPx / width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(bitmap, x, y, width, height, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/webp", 0.9));
}
