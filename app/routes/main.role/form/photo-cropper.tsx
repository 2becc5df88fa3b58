import { useEffect, useId, useRef, useState } from "react";
import Cropper, { type Area, getInitialCropFromCroppedAreaPixels, type MediaSize, type Size } from "react-easy-crop";
import { errorSentences } from "~/copy/errors";
import { joinClauses } from "~/copy/format";
import { photoCopy as words } from "~/copy/photo";
import { roleFormCopy } from "~/copy/roles";
import "react-easy-crop/react-easy-crop.css";
import { findPhotoFace } from "~/features/portrait/find-photo-face";
import { cropAround, cropAspect } from "~/features/portrait/photo-finding";
import { Button } from "~/ui/button";
import { imageMaxSidePx, imageMinSidePx } from "~server/contract/limits";
import type { PictureRegion } from "~server/portrait/photo-face";

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

/** Crops a picture by dragging, zooming or arrow keys; starts on the face, unless something was moved by then. */
export function PhotoCropper({ picture, url, onCropped, onCancel, onFault }: PhotoCropperProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [isPending, setPending] = useState(false);
  const zoomId = useId();
  const sizes = useRef<{ media?: MediaSize; crop?: Size }>({});
  const isTouched = useRef(false);
  const touch = () => {
    isTouched.current = true;
  };
  const isSearching = useFace(url, (face) => {
    const { media, crop: cropSize } = sizes.current;
    if (isTouched.current || !media || !cropSize) return;
    const around = cropAround(face, { width: media.naturalWidth, height: media.naturalHeight });
    const start = getInitialCropFromCroppedAreaPixels(around, media, 0, cropSize, 1, zoomMax);
    setCrop(start.crop);
    setZoom(start.zoom);
  });

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
            aspect={cropAspect}
            crop={crop}
            cropperProps={{ "aria-label": joinClauses(words.crop, words.move), role: "group" }}
            disableAutomaticStylesInjection
            image={url}
            keyboardStep={stepPx}
            maxZoom={zoomMax}
            mediaProps={{ alt: "", onError: () => onFault(errorSentences["image-unreadable"]) }}
            onCropChange={setCrop}
            onCropAreaChange={(_, pixels) => setArea(pixels)}
            onCropSizeChange={(size) => {
              sizes.current.crop = size;
            }}
            onInteractionStart={touch}
            onMediaLoaded={(size) => {
              sizes.current.media = size;
              const sides = [size.naturalWidth, size.naturalHeight];
              if (sides.some((side) => side < imageMinSidePx || side > imageMaxSidePx)) onFault(words.wrongSides);
            }}
            onZoomChange={setZoom}
            zoom={zoom}
          />
        )}
      </div>
      <p className="text-xs text-muted" role="status">
        {isSearching ? words.searching : words.move}
      </p>
      <label className="flex min-h-[44px] items-center gap-3 text-sm" htmlFor={zoomId}>
        {words.zoom}
        <input
          className="h-11 min-w-0 flex-1"
          id={zoomId}
          max={zoomMax}
          min={1}
          onChange={(event) => {
            touch();
            setZoom(Number(event.target.value));
          }}
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

/** Searches a picture for its largest face; true while it does. */
function useFace(url: string | null, onFace: (face: PictureRegion) => void): boolean {
  const [isSearching, setSearching] = useState(true);
  const found = useRef(onFace);
  found.current = onFace;
  useEffect(() => {
    if (!url) return;
    const controller = new AbortController();
    findPhotoFace(url, controller.signal)
      .catch(() => null)
      .then((finding) => {
        if (controller.signal.aborted) return;
        setSearching(false);
        if (finding?.place) found.current(finding.place);
      });
    return () => controller.abort();
  }, [url]);
  return isSearching;
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
