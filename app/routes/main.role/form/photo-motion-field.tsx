import { useEffect, useRef, useState } from "react";
import { photoCopy as words } from "~/copy/photo";
import { wantsStillness } from "~/features/player/use-previews";
import { findPhotoFace } from "~/features/portrait/find-photo-face";
import { PhotoMotion } from "~/features/portrait/live-portrait";
import type { PhotoFinding } from "~/features/portrait/photo-finding";
import { reportPictureFailure } from "~/features/portrait/still";
import { Button } from "~/ui/button";
import { movePart, toRegions } from "~server/portrait/face-edits";
import { getFacePoints, type PhotoFace } from "~server/portrait/photo-face";
import type { Speech } from "~server/portrait/spoken-timeline";
import { FaceRegion } from "./face-region";

/** Where a face is placed by hand in a picture whose face was not found, such as a drawing. */
const usualFace: PhotoFace = { mouth: { x: 0.5, y: 0.62, width: 0.16, height: 0.08 }, eyes: [] };

interface PhotoMotionFieldProps {
  src: string;
  isNew: boolean;
  face: PhotoFace | null;
  onFace(face: PhotoFace | null): void;
}

/** A photo that shows how it will speak, or the words why it stays still. */
export function PhotoMotionField({ src, isNew, face, onFace }: PhotoMotionFieldProps) {
  const { finding, search } = useFinding(src, { isNew: isNew && !face, onFace });
  const [isAdjusted, setAdjusted] = useState(false);
  const [isPlaying, setPlaying] = useState(() => !wantsStillness());
  const [speech] = useState(createPreviewSpeech);
  const turn = (isOn: boolean) => (isOn ? search() : onFace(null));
  const blink = (isOn: boolean) => {
    if (face) onFace({ ...face, eyes: isOn ? toRegions(getFacePoints(face)).eyes : [] });
  };
  const placeByHand = () => {
    onFace(usualFace);
    setAdjusted(true);
  };
  return (
    <div className="grid w-full max-w-[420px] gap-3">
      <div className="relative overflow-hidden rounded border border-line">
        <img alt={words.chosen} className="block w-full" onError={() => reportPictureFailure(src)} src={src} />
        {face && <PhotoMotion face={face} isSpeaking={isPlaying && !isAdjusted} seed={src} speech={speech} src={src} />}
        {face && isAdjusted && <Regions face={face} onFace={onFace} />}
      </div>
      <p className="text-sm" role="status">
        {finding === "searching" ? words.searching : face ? words.moving : sentenceOf(finding)}
      </p>
      <div className="flex flex-wrap gap-x-6">
        <Check isOn={face !== null} label={words.speaks} onChange={turn} />
        {face?.points && <Check isOn={face.eyes.length === 2} label={words.blink} onChange={blink} />}
      </div>
      <div className="flex flex-wrap gap-2">
        {face && (
          <>
            <Button onClick={() => setPlaying(!isPlaying)}>{isPlaying ? words.pause : words.play}</Button>
            <Button aria-expanded={isAdjusted} kind="quiet" onClick={() => setAdjusted(!isAdjusted)}>
              {isAdjusted ? words.adjusted : words.adjust}
            </Button>
          </>
        )}
        {!face && finding === "none" && <Button onClick={placeByHand}>{words.byHand}</Button>}
      </div>
      {face && isAdjusted && <p className="text-xs text-muted">{words.keys}</p>}
    </div>
  );
}

type Problem = Exclude<PhotoFinding["kind"], "found">;

function useFinding(src: string, { isNew, onFace }: { isNew: boolean; onFace(face: PhotoFace): void }) {
  const [finding, setFinding] = useState<"searching" | Problem | null>(null);
  const running = useRef<AbortController | null>(null);
  const search = () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setFinding("searching");
    findPhotoFace(src, signal)
      .catch((): PhotoFinding => ({ kind: "failed" }))
      .then((found) => {
        if (signal.aborted) return;
        setFinding(found.kind === "found" ? null : found.kind);
        if (found.kind === "found") onFace(found.face);
      });
  };
  const first = useRef(isNew ? search : null);
  useEffect(() => {
    first.current?.();
    return () => running.current?.abort();
  }, []);
  return { finding, search };
}

const sentenceOf = (finding: Problem | null) => (finding ? words.problems[finding] : words.still);

function Regions({ face, onFace }: { face: PhotoFace; onFace(face: PhotoFace): void }) {
  return (
    <>
      <FaceRegion label={words.mouth} onChange={(to) => onFace(movePart(face, "mouth", to))} region={face.mouth} />
      {face.eyes.map((eye, index) => (
        <FaceRegion
          key={words.eyes[index]}
          label={words.eyes[index] ?? ""}
          onChange={(to) => onFace(movePart(face, index, to))}
          region={eye}
        />
      ))}
    </>
  );
}

function Check({ label, isOn, onChange }: { label: string; isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <label className="flex min-h-[44px] items-center gap-3 text-sm">
      <input
        checked={isOn}
        className="h-5 w-5 accent-seal"
        onChange={({ target }) => onChange(target.checked)}
        type="checkbox"
      />
      {label}
    </label>
  );
}

const pauseMs = 450;
/** Consonants are shorter than vowels. */
const soundMs = { consonant: 70, vowel: 130 };
const vowels = new Set(["aa", "E", "ih", "oh", "ou"]);

/** A greeting by the mouths of its sounds; a bar is a pause. */
const sentence = "DD aa CH ih aa kk aa ou | ou oh SS ih nn ih DD E SS E nn ih nn | PP E ih nn ih SS oh kk ou aa |";

/** Silent speech that shows in a loop how a photo moves. */
function createPreviewSpeech(): Speech {
  const phonemes: { start: number; end: number; viseme: string }[] = [];
  const units: { text: string; offset: number; start: number; end: number }[] = [];
  let now = 0;
  let phrase = 0;
  for (const name of sentence.split(" ")) {
    const start = now;
    if (name === "|") {
      units.push({ text: name, offset: units.length, start: phrase, end: now });
      now += pauseMs;
      phrase = now;
    } else now += vowels.has(name) ? soundMs.vowel : soundMs.consonant;
    phonemes.push({ start, end: now, viseme: name === "|" ? "sil" : name });
  }
  const started = performance.now();
  return {
    id: sentence,
    timeline: { durationMs: now, units, phonemes },
    seconds: () => ((performance.now() - started) % now) / 1000,
  };
}
