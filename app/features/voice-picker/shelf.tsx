import { useEffect, useRef } from "react";
import { sentenceFor } from "~/copy/errors";
import { voicePickerCopy as words } from "~/copy/square";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { Skeleton } from "~/ui/skeleton";
import { LiveRegion } from "~/ui/visually-hidden";
import { useVoices } from "./use-voices";
import type { VoicePickerProps, VoiceShelf } from "./voice";
import { VoiceRow } from "./voice-row";

interface ShelfProps extends Pick<VoicePickerProps, "chosen" | "onChoose" | "onPreview" | "sounding" | "picture"> {
  shelf: VoiceShelf;
  keyword: string;
  /** Goes on to the square when the account has no roles. */
  isSkippedWhenEmpty: boolean;
  onSquare(): void;
}

/** One list of voices in all its states; it grows as it is scrolled. */
export function Shelf({ shelf, keyword, isSkippedWhenEmpty, onSquare, chosen, sounding, ...actions }: ShelfProps) {
  const { listing, more, retry } = useVoices(shelf, keyword);
  const isEmpty = listing.phase === "ready" && listing.voices.length === 0;
  const isSkipped = isSkippedWhenEmpty && isEmpty && shelf === "own" && !keyword;
  const latestOnSquare = useRef(onSquare);
  latestOnSquare.current = onSquare;
  useEffect(() => {
    if (isSkipped) latestOnSquare.current();
  }, [isSkipped]);
  // What failed is asked for again by hand alone.
  const end = useSight(() => listing.phase === "ready" && listing.more === "idle" && void more());

  if (listing.phase === "failed") {
    return (
      <Notice heading={words.failed} isBare role="alert" sentence={sentenceFor(listing.refusal)}>
        <Button onClick={retry}>{words.retry}</Button>
      </Notice>
    );
  }
  if (listing.phase === "loading" || isSkipped) {
    return (
      <div aria-busy="true" aria-label={words.loading} className="mt-2 grid gap-2" role="status">
        {["a", "b", "c", "d", "e"].map((key) => (
          <Skeleton className="h-[68px]" key={key} />
        ))}
      </div>
    );
  }
  if (isEmpty) {
    const isOwn = shelf === "own" && !keyword;
    return (
      <Notice isBare role="status" sentence={isOwn ? words.noneOwn : words.nothingFound}>
        {isOwn && <Button onClick={onSquare}>{words.toSquare}</Button>}
      </Notice>
    );
  }
  return (
    <>
      <LiveRegion>{words.count(listing.total)}</LiveRegion>
      <ul aria-label={words.results} className="mt-1">
        {listing.voices.map((voice) => (
          <VoiceRow
            isChosen={voice.roleId === chosen}
            isSounding={voice.roleId === sounding}
            key={voice.roleId}
            voice={voice}
            {...actions}
          />
        ))}
      </ul>
      {listing.voices.length < listing.total && (
        <div className="grid justify-items-center py-3" ref={end}>
          <Button kind="quiet" onClick={() => void more()} pending={listing.more === "loading"}>
            {listing.more === "loading" ? words.loadingMore : listing.more === "failed" ? words.retry : words.more}
          </Button>
        </div>
      )}
    </>
  );
}

/** Calls once the element comes near the screen. */
function useSight(onSeen: () => unknown) {
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  const observer = useRef<IntersectionObserver | null>(null);
  return (element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!element) return;
    observer.current = new IntersectionObserver(
      (entries) => entries.some((one) => one.isIntersecting) && latest.current(),
      {
        rootMargin: "200px",
      },
    );
    observer.current.observe(element);
  };
}
