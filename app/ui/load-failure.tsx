import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { Button, IconButton } from "./button";
import { Icon } from "./icons/icon";

export interface LoadWords {
  sentence: string;
  retry: string;
  /** Loads the page again; offered after a retry has failed too. */
  reload: string;
  close: string;
}

const LoadWordsContext = createContext<LoadWords>({ sentence: "", retry: "", reload: "", close: "" });

export function LoadWordsProvider({ words, children }: { words: LoadWords; children: ReactNode }) {
  return <LoadWordsContext.Provider value={words}>{children}</LoadWordsContext.Provider>;
}

export interface PartFailure {
  retry(): void;
  /** Loads of this part that failed, from 1. */
  count: number;
  /** What had the focus when the part was asked for. */
  opener: Element | null;
}

/** Stands where a part of the page belongs whose code did not load. Retries by itself when the network returns. */
export function LoadFailure({ failure }: { failure: PartFailure }) {
  const { retry } = failure;
  useEffect(() => {
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, [retry]);
  return (
    <div className="flex flex-wrap items-center gap-3 rounded bg-wash px-4 py-3 text-sm" role="alert">
      <Sentence failure={failure} />
    </div>
  );
}

interface DialogFailureProps {
  failure: PartFailure;
  onClose(): void;
}

/** For a dialog whose code did not load: a card beside the button that was pressed; the page stays as it is. */
export function DialogFailure({ failure, onClose }: DialogFailureProps) {
  const words = useContext(LoadWordsContext);
  const { opener } = failure;
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    card.current?.querySelector("button")?.focus();
  }, []);
  const close = () => {
    onClose();
    if (opener instanceof HTMLElement) opener.focus();
  };
  return (
    <div
      className="fixed z-50 grid w-[min(336px,calc(100vw-24px))] grid-cols-[minmax(0,1fr)_auto] items-start gap-2 rounded-card border border-line bg-surface p-4 text-sm shadow-card"
      onKeyDown={({ key }) => key === "Escape" && close()}
      ref={card}
      role="alert"
      style={placeBeside(opener)}
    >
      <div className="flex flex-wrap items-center gap-3">
        <Sentence failure={failure} />
      </div>
      <IconButton className="-mr-2 -mt-2 text-muted hover:text-ink" label={words.close} onClick={close}>
        <Icon name="close" size={18} />
      </IconButton>
    </div>
  );
}

function Sentence({ failure: { retry, count } }: { failure: PartFailure }) {
  const words = useContext(LoadWordsContext);
  return (
    <>
      <p className="min-w-[12em] flex-1">{words.sentence}</p>
      <Button onClick={retry}>{words.retry}</Button>
      {count > 1 && <Button onClick={() => window.location.reload()}>{words.reload}</Button>}
    </>
  );
}

const marginPx = 12;
const atFoot = { bottom: "calc(var(--tabbar) + var(--player, 0px) + 12px)", left: marginPx };
const cardPx = { width: 336, height: 150 };

/** Under the pressed element, above it where there is no room, else at the foot of the screen. */
function placeBeside(element: Element | null) {
  if (!element?.isConnected || element === document.body || element.tagName === "MAIN") return atFoot;
  const { top, bottom, left } = element.getBoundingClientRect();
  const isRoomBelow = bottom + cardPx.height < window.innerHeight;
  return {
    left: Math.max(marginPx, Math.min(left, window.innerWidth - cardPx.width - marginPx)),
    ...(isRoomBelow ? { top: bottom + 8 } : { bottom: Math.max(marginPx, window.innerHeight - top + 8) }),
  };
}
