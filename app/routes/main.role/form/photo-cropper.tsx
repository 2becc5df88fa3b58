import { useId, useState } from "react";
import Cropper, { type Area } from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { joinClauses } from "~/copy/format";
import { roleFormCopy } from "~/copy/roles";
import { Button } from "~/ui/button";
import { cropPicture } from "./crop-picture";
import { useObjectUrl } from "./use-object-url";

const words = roleFormCopy.photo;
const zoomMax = 4;
/** What one press of an arrow moves. */
const stepPx = 8;

interface PhotoCropperProps {
  picture: Blob;
  onCropped(picture: Blob): void;
  onUnreadable(): void;
}

/** The part of a picture that becomes the portrait: dragged, zoomed, or moved by the arrows. */
export function PhotoCropper({ picture, onCropped, onUnreadable }: PhotoCropperProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [isPending, setPending] = useState(false);
  const url = useObjectUrl(picture);
  const zoomId = useId();

  const use = async () => {
    if (!area) return;
    setPending(true);
    const cropped = await cropPicture(picture, area);
    if (cropped) onCropped(cropped);
    else onUnreadable();
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
            mediaProps={{ alt: "", onError: onUnreadable }}
            onCropChange={setCrop}
            onCropComplete={(_, pixels) => setArea(pixels)}
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
      <Button kind="primary" onClick={use} pending={isPending}>
        {words.use}
      </Button>
    </div>
  );
}
