import { type RefObject, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { paths } from "~/paths";
import { createIdleMotion, createMotion, type Motion } from "~server/portrait/motion";
import { poseParts } from "~server/portrait/moving-parts";
import { type PortraitParameters, parsePortrait } from "~server/portrait/parameters";
import { type PhotoFace, parsePhotoFace } from "~server/portrait/photo-face";
import type { Pixels } from "~server/portrait/photo-patch";
import { createPhotoWarp } from "~server/portrait/photo-warp";
import { easeInOut, mixPoses, type Pose, restPose, toMouthOnly } from "~server/portrait/pose";
import type { Speech } from "~server/portrait/spoken-timeline";
import { type ColorMode, type Human, Still, useIsDark } from "./still";

interface LivePortraitProps {
  human: Pick<Human, "roleId" | "name" | "avatar" | "portrait">;
  colorMode: ColorMode;
  isSpeaking?: boolean;
  /** The sound that moves the face; the mouth opens and closes evenly where it has no timeline. */
  speech?: Speech | undefined;
}

/**
 * A drawn person who breathes, blinks and speaks. The picture that stands there as a poster becomes the drawing: it is
 * read once, and each frame changes attributes of its moving parts only. Under reduced motion the mouth alone moves.
 */
export function LivePortrait({ human, colorMode, isSpeaking = false, speech }: LivePortraitProps) {
  const portrait = useMemo(() => parsePortrait(human.portrait), [human.portrait]);
  const holder = useRef<HTMLDivElement>(null);
  const isDrawn = useDrawing(holder, human.portrait, colorMode);
  const createShow = useCallback(
    () => (holder.current && portrait ? createDisplay(holder.current, portrait) : null),
    [portrait],
  );
  useMovement(isDrawn ? createShow : null, { seed: human.roleId, speech, isSpeaking });
  return (
    <>
      {!isDrawn && <Still colorMode={colorMode} human={human} />}
      <div aria-hidden="true" className={isDrawn ? "live-portrait" : "hidden"} ref={holder} />
    </>
  );
}

/** A photo whose mouth speaks and eyes blink where its owner saw that they do. */
export function LivePhoto({ human, colorMode, isSpeaking = false, speech }: LivePortraitProps) {
  const face = useMemo(() => parsePhotoFace(human.portrait), [human.portrait]);
  return (
    <div className="relative h-full w-full">
      <Still colorMode={colorMode} human={human} />
      {face && human.avatar && (
        <PhotoMotion
          face={face}
          isSpeaking={isSpeaking}
          seed={human.roleId}
          speech={speech}
          src={paths.media(human.avatar)}
        />
      )}
    </div>
  );
}

/** Pixels of a mouth that a slow phone draws within a frame. */
const mouthWidthPx = 80;
const photoWidthPx = 1000;

interface PhotoMotionProps {
  src: string;
  face: PhotoFace;
  seed: string;
  isSpeaking: boolean;
  speech?: Speech | undefined;
}

/** A canvas over a photo of the same size, which shows the parts of it that move. */
export function PhotoMotion({ src, face, seed, isSpeaking, speech }: PhotoMotionProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pixels, setPixels] = useState<Pixels | null>(null);
  const width = Math.min(photoWidthPx, mouthWidthPx / face.mouth.width);
  useEffect(() => {
    const gone = new AbortController();
    readPixels(src, { width, signal: gone.signal }).then(setPixels, () => {});
    return () => gone.abort();
  }, [src, width]);
  const createShow = useCallback(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !pixels) return null;
    const warp = createPhotoWarp(pixels, face);
    return (pose: Pose) => {
      context.clearRect(0, 0, pixels.width, pixels.height);
      for (const { x, y, width: across, height, data } of warp(pose))
        context.putImageData(new ImageData(data, across, height), x, y);
    };
  }, [pixels, face]);
  useMovement(pixels ? createShow : null, { seed, speech, isSpeaking });
  return (
    <span aria-hidden="true">
      <canvas
        className="still pointer-events-none absolute inset-0"
        height={pixels?.height ?? 4}
        ref={canvas}
        width={pixels?.width ?? 5}
      />
    </span>
  );
}

/** Decodes a picture, not larger than it is nor wider than asked. */
export async function readPixels(
  address: string,
  { width, signal }: { width: number; signal: AbortSignal },
): Promise<ImageData> {
  const response = await fetch(address, { signal });
  const bitmap = await createImageBitmap(await response.blob());
  const scale = Math.min(1, width / bitmap.width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  if (!context || signal.aborted) throw new Error("no picture");
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Puts the picture's drawing into the page, with unique ids; false while the poster has to stand for it. */
function useDrawing(holder: RefObject<HTMLDivElement>, portrait: unknown, colorMode: ColorMode): boolean {
  const [drawn, setDrawn] = useState("");
  const prefix = `pt${useId().replace(/\W/g, "")}-`;
  const isDark = useIsDark(colorMode);
  const address = paths.portrait(portrait, isDark ? "dark" : "light");
  useEffect(() => {
    const gone = new AbortController();
    readDrawing(address, gone.signal).then(
      (markup) => {
        if (!markup || !holder.current) return;
        holder.current.innerHTML = markup.replaceAll("pt-", prefix);
        setDrawn(address);
      },
      () => {},
    );
    return () => gone.abort();
  }, [address, prefix, holder]);
  return drawn !== "";
}

async function readDrawing(address: string, signal: AbortSignal): Promise<string | null> {
  const response = await fetch(address, { signal });
  return response.ok ? await response.text() : null;
}

interface Movement {
  seed: string;
  speech: Speech | undefined;
  isSpeaking: boolean;
}

/** From one movement to the next, so that heads do not jump when a sound starts or ends. */
const changeSeconds = 0.35;

/** Shows pose after pose; `createShow` is null until there is something to move. */
function useMovement(createShow: (() => ((pose: Pose) => void) | null) | null, movement: Movement) {
  const { seed, speech, isSpeaking } = movement;
  const last = useRef<Pose>(restPose);
  useEffect(() => {
    const show = createShow?.();
    if (!show) return;
    const poseAt = createPosing(speech, isSpeaking, seed);
    const from = last.current;
    const start = performance.now() / 1000;
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    let frame = requestAnimationFrame(function next() {
      frame = requestAnimationFrame(next);
      const now = performance.now() / 1000;
      const pose = mixPoses(from, poseAt(now), easeInOut((now - start) / changeSeconds));
      last.current = still.matches ? toMouthOnly(pose) : pose;
      show(last.current);
    });
    return () => cancelAnimationFrame(frame);
  }, [createShow, seed, speech, isSpeaking]);
}

/** The pose at a time of the page's clock: of the speech where it plays, otherwise of someone who listens. */
function createPosing(speech: Speech | undefined, isSpeaking: boolean, seed: string): Motion {
  const idle = createIdleMotion(seed);
  if (!isSpeaking || !speech) return idle;
  const { timeline, loudness, id } = speech;
  if (timeline) {
    const motion = createMotion({ timeline, seed: id, ...(loudness && { loudness }) });
    return (now) => {
      const seconds = speech.seconds();
      return seconds === null ? idle(now) : motion(seconds);
    };
  }
  return (now) => {
    const open = 0.35 + 0.35 * Math.sin(2 * Math.PI * 3.1 * now);
    return { ...idle(now), mouth: { weights: { open }, closure: 0, size: 0.9 } };
  };
}

/** Sets the attributes of the moving parts, those that changed only. */
function createDisplay(holder: HTMLElement, portrait: PortraitParameters): (pose: Pose) => void {
  const elements = [...holder.querySelectorAll<SVGElement>("[data-part]")].map((element) => ({
    element,
    name: element.dataset.part ?? "",
    shown: new Map<string, string>(),
  }));
  return (pose) => {
    const parts = poseParts(portrait, pose);
    for (const { element, name, shown } of elements) {
      for (const [attribute, value] of Object.entries(parts[name] ?? {})) {
        if (shown.get(attribute) === value) continue;
        shown.set(attribute, value);
        element.setAttribute(attribute, value);
      }
    }
  };
}
