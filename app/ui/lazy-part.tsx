import {
  Component,
  type ComponentType,
  createContext,
  createElement,
  lazy,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { Button, IconButton } from "./button";
import { Icon } from "./icons/icon";

class PartLoadError extends Error {}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** Renders the replacement of a part that did not load. */
type ShowFailure<Props> = (props: Props, failure: PartFailure) => ReactNode;

const loads: Array<() => Promise<unknown>> = [];

/** Registers code that a later press needs, for `loadPartsAhead`. */
export const loadAhead = (load: () => Promise<unknown>) => void loads.push(load);

const errorLoads: Array<() => Promise<unknown>> = [];

/** Registers code that shows an error of the document, for `loadForErrors`. */
export const loadWithErrors = (load: () => Promise<unknown>) => void errorLoads.push(load);
export const loadForErrors = () => Promise.all(errorLoads.map((load) => load()));

/**
 * Like React's `lazy`, but a part whose code does not load leaves the page alone: a sentence with a retry takes its
 * place, or what `showFailure` returns. The caller keeps its `Suspense` for the time of loading.
 */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  showFailure: ShowFailure<Props> = (_props, failure) => <LoadFailure failure={failure} />,
): ComponentType<Props> {
  const loadOrThrow = () =>
    load().catch((cause: unknown) => {
      throw new PartLoadError("a part of the page did not load", { cause });
    });
  // React's type knows refs, which these parts do not take.
  const prepare = () => lazy(loadOrThrow) as unknown as ComponentType<Props>;
  let prepared = prepare();
  // React's lazy keeps a failed load for ever.
  const renew = () => {
    prepared = prepare();
  };
  loads.push(load);
  return function LazyPart(props: Props) {
    const [part, setPart] = useState(() => ({ type: prepared, loads: 1 }));
    const [opener] = useState(() => (typeof document === "undefined" ? null : document.activeElement));
    const retry = useCallback(() => setPart((now) => ({ type: prepared, loads: now.loads + 1 })), []);
    return (
      <PartBoundary
        failure={() => showFailure(props, { retry, count: part.loads, opener })}
        key={part.loads}
        onLoadError={renew}
      >
        {createElement(part.type, props)}
      </PartBoundary>
    );
  };
}

interface BoundaryProps {
  children: ReactNode;
  failure(): ReactNode;
  onLoadError(): void;
}

/** Catches a failed load and nothing else: an error of the part itself is the page's. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override componentDidCatch(error: unknown) {
    if (error instanceof PartLoadError) this.props.onLoadError();
  }
  override render() {
    const error: unknown = this.state.error;
    if (error === null) return this.props.children;
    if (error instanceof PartLoadError) return this.props.failure();
    throw error;
  }
}
let loadedAhead = 0;
let isLoadingAhead = false;

/**
 * Loads the code of every part that the page may need next, one at a time while the browser is idle, so that a later tap
 * needs no network. Resolves when all are there or one failed; later calls go on from there.
 */
export async function loadPartsAhead(whenIdle: () => Promise<void>): Promise<void> {
  if (isLoadingAhead) return;
  isLoadingAhead = true;
  try {
    for (let load = loads[loadedAhead]; load; load = loads[loadedAhead]) {
      await whenIdle();
      await load();
      loadedAhead++;
    }
  } catch {
    // A tap tries again and says so.
  } finally {
    isLoadingAhead = false;
  }
}

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
  /** The focused element when the part was requested. */
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

/** A dialog; if its code does not load, a card says so until `close`, which is the dialog's `onClose` where absent. */
export function lazyDialog<Props extends { onClose(): void }>(load: Load<Props>): ComponentType<Props>;
export function lazyDialog<Props extends object>(
  load: Load<Props>,
  close: (props: Props) => void,
): ComponentType<Props>;
export function lazyDialog(load: Load<{ onClose(): void }>, close = ({ onClose }: { onClose(): void }) => onClose()) {
  return lazyPart(load, (props, failure) => <DialogFailure failure={failure} onClose={() => close(props)} />);
}

/** For a dialog whose code did not load: a card beside the button that was pressed; the page stays as it is. */
export function DialogFailure({ failure, onClose }: { failure: PartFailure; onClose(): void }) {
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

/** Under the pressed element, above it if there is no room, else at the foot of the screen. */
function placeBeside(element: Element | null) {
  if (!element?.isConnected || element === document.body || element.tagName === "MAIN") return atFoot;
  const { top, bottom, left } = element.getBoundingClientRect();
  const isRoomBelow = bottom + cardPx.height < window.innerHeight;
  return {
    left: Math.max(marginPx, Math.min(left, window.innerWidth - cardPx.width - marginPx)),
    ...(isRoomBelow ? { top: bottom + 8 } : { bottom: Math.max(marginPx, window.innerHeight - top + 8) }),
  };
}
