import { type ReactNode, startTransition, useEffect, useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { voicePickerCopy as words } from "~/copy/square";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/card";
import { Dialog, Tabs } from "~/ui/dialog";
import { LiveRegion, SkeletonList } from "~/ui/feedback";
import { SearchInput } from "~/ui/fields";
import type { Voice } from "~server/bff/roles.server";
import { KeptList, type ScriptVoice, useKeptVoices } from "./kept-list";
import { noteUse } from "./kept-voices";
import { VoiceRows } from "./voice-row";
import { useVoices, type VoiceSource } from "./voices";

type PickerTab = "kept" | VoiceSource;

const tabs = (["kept", "own", "square"] as const).map((value) => ({ value, label: words.tabs[value] }));

export interface VoicePickerProps {
  /** `roleId` of the selected voice. */
  chosen: string | null;
  onChoose(voice: Voice): void;
  onClose(): void;
  /** Plays the voice's preview, or pauses it while it plays. */
  onPreview(voice: Voice): void;
  /** `roleId` of the voice whose preview plays. */
  playingId: string | null;
  picture(voice: Voice): ReactNode;
  /** Null for a person who is logged in. */
  onLogIn: (() => void) | null;
  /** The roles that speak already; with several of them the picker opens on these. */
  scriptVoices?: readonly ScriptVoice[];
  /** Stands over the voices. */
  children?: ReactNode;
}

/**
 * A dialog to choose a voice. It opens on the tab of the chosen voice; without one on own roles, or on public ones for
 * accounts without roles. Import it lazily.
 */
export function VoicePicker({ onClose, onLogIn, children, scriptVoices = [], onChoose, ...rest }: VoicePickerProps) {
  const [chosenSource, setSource] = useState<PickerTab | null>(
    scriptVoices.length > 1 ? "kept" : onLogIn ? "square" : null,
  );
  const source = chosenSource ?? "own";
  useKeptVoices(onLogIn === null);
  const choose = (voice: Voice) => {
    noteUse(voice);
    onChoose(voice);
  };
  const [keyword, setKeyword] = useState("");
  return (
    <Dialog closeLabel={words.close} onClose={onClose} title={words.title} width="tall">
      <div className="flex min-h-0 flex-1 flex-col gap-3 pt-3">
        <SearchInput
          className="shrink-0"
          label={words.search}
          onChange={(event) => setKeyword(event.target.value)}
          value={keyword}
        />
        {children}
        <Tabs<PickerTab> label={words.tabsLabel} onChange={setSource} tabs={tabs} value={source}>
          {source === "kept" ? (
            <KeptList keyword={keyword.trim()} onChoose={choose} scriptVoices={scriptVoices} {...rest} />
          ) : source === "own" && onLogIn ? (
            <Notice isBare sentence={words.loginFirst}>
              <Button kind="primary" onClick={onLogIn}>
                {words.login}
              </Button>
            </Notice>
          ) : (
            <VoiceList
              canSkip={chosenSource === null}
              keyword={keyword.trim()}
              key={source}
              onChoose={choose}
              onSquare={() => setSource("square")}
              source={source}
              {...rest}
            />
          )}
        </Tabs>
      </div>
    </Dialog>
  );
}

interface VoiceListProps extends Pick<VoicePickerProps, "chosen" | "onChoose" | "onPreview" | "playingId" | "picture"> {
  source: VoiceSource;
  keyword: string;
  /** Switches to the square if the account has no roles, or not the chosen one. */
  canSkip: boolean;
  onSquare(): void;
}

/** The voices of one source; loads more on scrolling. */
function VoiceList({ source, keyword, canSkip, onSquare, ...rows }: VoiceListProps) {
  const { chosen } = rows;
  const { listing, more, retry } = useVoices(source, keyword, chosen);
  const isEmpty = listing.phase === "ready" && listing.voices.length === 0;
  const isElsewhere = listing.phase === "ready" && chosen !== null && listing.voices[0]?.roleId !== chosen;
  const isSkipped = canSkip && (isEmpty || isElsewhere) && source === "own" && !keyword;
  const latestOnSquare = useRef(onSquare);
  latestOnSquare.current = onSquare;
  useEffect(() => {
    if (isSkipped) latestOnSquare.current();
  }, [isSkipped]);
  // After a failure only the button loads more.
  const end = useNearViewport(() => listing.phase === "ready" && listing.more === "idle" && void more());
  const shown = useGradually(listing.phase === "ready" ? listing.voices.length : 0);

  if (listing.phase === "failed") {
    return (
      <Notice heading={words.failed} isBare role="alert" sentence={sentenceFor(listing.refusal)}>
        <Button onClick={retry}>{words.retry}</Button>
      </Notice>
    );
  }
  if (listing.phase === "loading" || isSkipped)
    return <SkeletonList className="mt-2 gap-2" count={5} label={words.loading} row="h-[68px]" />;
  if (isEmpty) {
    const isOwn = source === "own" && !keyword;
    return (
      <Notice isBare role="status" sentence={isOwn ? words.noneOwn : words.nothingFound}>
        {isOwn && <Button onClick={onSquare}>{words.toSquare}</Button>}
      </Notice>
    );
  }
  return (
    <>
      <LiveRegion>{listing.isUncounted ? "" : words.count(listing.total)}</LiveRegion>
      <ul aria-label={words.results} className="mt-1">
        <VoiceRows voices={listing.voices.slice(0, shown)} {...rows} />
      </ul>
      {shown >= listing.voices.length && listing.voices.length < listing.total && (
        <div className="grid justify-items-center py-3" ref={end}>
          <Button kind="quiet" onClick={() => void more()} pending={listing.more === "loading"}>
            {listing.more === "loading" ? words.loadingMore : listing.more === "failed" ? words.retry : words.more}
          </Button>
        </div>
      )}
    </>
  );
}

const rowsAtOnce = 6;

/** Rows to render, raised in steps: painting twenty portraits at once takes 64 ms on a throttled laptop. */
function useGradually(count: number): number {
  const [shown, setShown] = useState(rowsAtOnce);
  useEffect(() => {
    if (shown >= count) return;
    const timer = setTimeout(() => startTransition(() => setShown(shown + rowsAtOnce)));
    return () => clearTimeout(timer);
  }, [shown, count]);
  return shown;
}

/** A ref for an element; calls `onNear` when it comes within 200 px of the viewport. */
function useNearViewport(onNear: () => unknown) {
  const latest = useRef(onNear);
  useEffect(() => {
    latest.current = onNear;
  });
  const observer = useRef<IntersectionObserver | null>(null);
  return (element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!element) return;
    observer.current = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { rootMargin: "200px" },
    );
    observer.current.observe(element);
  };
}
