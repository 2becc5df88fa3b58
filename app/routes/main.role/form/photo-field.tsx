import { Suspense, useEffect, useRef, useState } from "react";
import { errorSentences } from "~/copy/errors";
import { photoCopy as words } from "~/copy/photo";
import { paths } from "~/paths";
import { Button, useRestoredFocus } from "~/ui/button";
import { Fault, Skeleton } from "~/ui/feedback";
import { fileInput } from "~/ui/fields";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { lazyPart } from "~/ui/lazy-part";
import { imageMaxBytes } from "~server/contract/limits";
import type { PhotoFace } from "~server/portrait/photo-face";

const PhotoCropper = lazyPart(async () => ({ default: (await import("./photo-cropper")).PhotoCropper }));
const PhotoMotionField = lazyPart(async () => ({ default: (await import("./photo-motion-field")).PhotoMotionField }));

interface PhotoFieldProps {
  photo: Blob | null;
  /** URL of the uploaded photo; "" for none. */
  avatar: string;
  /** What moves; null while the photo stays still. */
  face: PhotoFace | null;
  onPhoto(photo: Blob): void;
  onFace(face: PhotoFace | null): void;
}

/** Picks and crops a photo, and shows the result. */
export function PhotoField({ photo, avatar, face, onPhoto, onFace }: PhotoFieldProps) {
  const [picked, setPicked] = useState<File | null>(null);
  const [isCropping, setCropping] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const pickedUrl = useObjectUrl(picked);
  const box = useRestoredFocus<HTMLDivElement>();

  const pick = (file: File) => {
    setFault(null);
    if (file.size > imageMaxBytes) return setFault(errorSentences["too-large"]);
    if (!/^image\/(jpeg|png|webp|gif|avif)$/.test(file.type)) return setFault(errorSentences["image-unreadable"]);
    setPicked(file);
    setCropping(true);
  };

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3" ref={box}>
      {picked && isCropping ? (
        <Suspense fallback={<Skeleton className="aspect-[5/4] w-full max-w-[420px]" />}>
          <PhotoCropper
            onCropped={(cropped) => {
              setCropping(false);
              onPhoto(cropped);
            }}
            onCancel={() => setCropping(false)}
            onFault={(sentence) => {
              setPicked(null);
              setFault(sentence);
            }}
            picture={picked}
            url={pickedUrl}
          />
        </Suspense>
      ) : (
        <Chosen
          avatar={avatar}
          face={face}
          onCropAgain={picked && photo ? () => setCropping(true) : undefined}
          onFace={onFace}
          onPick={pick}
          photo={photo}
        />
      )}
      <Fault className="text-xs">{fault}</Fault>
    </div>
  );
}

interface ChosenProps extends Omit<PhotoFieldProps, "onPhoto"> {
  onPick(file: File): void;
  /** Undefined for a photo of an earlier visit. */
  onCropAgain?: (() => void) | undefined;
}

function Chosen({ photo, avatar, face, onFace, onPick, onCropAgain }: ChosenProps) {
  const input = useRef<HTMLInputElement>(null);
  const local = useObjectUrl(photo);
  const src = local ?? (avatar ? paths.media(avatar) : null);
  return (
    <div className="flex flex-wrap items-center gap-4">
      {src && (
        <Suspense fallback={<Skeleton className="aspect-[5/4] w-full max-w-[420px]" />}>
          <PhotoMotionField face={face} isNew={onCropAgain !== undefined} key={src} onFace={onFace} src={src} />
        </Suspense>
      )}
      <div className="grid gap-2">
        <input
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          aria-hidden="true"
          className="sr-only"
          ref={input}
          tabIndex={-1}
          {...fileInput(onPick)}
        />
        <Button icon={<ToolIcon name="picture" size={18} />} onClick={() => input.current?.click()}>
          {src ? words.other : words.pick}
        </Button>
        {onCropAgain && <Button onClick={onCropAgain}>{words.cropAgain}</Button>}
        <p className="text-xs text-muted">{words.formats}</p>
        <p className="max-w-[20em] text-xs text-muted">{words.note}</p>
      </div>
    </div>
  );
}

/** An object URL for the blob, revoked after use. */
function useObjectUrl(blob: Blob | null): string | null {
  const [made, setMade] = useState<{ blob: Blob; url: string } | null>(null);
  useEffect(() => {
    if (!blob) return setMade(null);
    const url = URL.createObjectURL(blob);
    setMade({ blob, url });
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  // The former blob's URL is revoked before the new one is known.
  return made?.blob === blob ? (made?.url ?? null) : null;
}
