import { useLocation } from "@remix-run/react";
import { useEffect, useLayoutEffect, useRef } from "react";

/** Kept in `history.state` beside the router's own fields. Entries of one page differ in `depth` alone. */
interface OverlayEntry {
  page: number;
  /** Overlays that were open when the entry was added; 0 for the page itself. */
  depth: number;
}

/** How to close each open overlay; the last one is on top. */
const openOverlays: Array<() => void> = [];
let current: OverlayEntry | null = null;

const readEntry = (): OverlayEntry | null => history.state?.overlay ?? null;

/** Adds the missing entries of open overlays on top of the page's. Those of closed overlays stay and are used again. */
export function addEntries(): void {
  current = readEntry();
  if (openOverlays.length === 0) return;
  if (!current) {
    current = { page: Math.random(), depth: 0 };
    history.replaceState({ ...history.state, overlay: current }, "");
  }
  while (current.depth < openOverlays.length) {
    current = { ...current, depth: current.depth + 1 };
    history.pushState({ ...history.state, overlay: current }, "");
  }
}

/** A step between entries of one page is none of the router's: it would load the page's data again. */
export function onPopState(event: Pick<PopStateEvent, "stopImmediatePropagation">): void {
  const left = current;
  current = readEntry();
  if (!left || !current || left.page !== current.page || left.depth === current.depth) return;
  event.stopImmediatePropagation();
  // Forward to an overlay that was closed.
  if (current.depth > left.depth) return;
  const closing = openOverlays.slice(current.depth).reverse();
  for (const close of closing) close();
  // An overlay may stay, or open another one. One that was closed before leaves its entry: then Back means the page.
  if (closing.length > 0) setTimeout(addEntries);
  else history.back();
}

/** Puts an overlay on top; returns what takes it away. */
export function openOverlay(close: () => void): () => void {
  openOverlays.push(close);
  addEntries();
  return () => {
    openOverlays.splice(openOverlays.indexOf(close), 1);
  };
}

/** While mounted, Back calls `onClose` and stays on the page. */
export function useBackToClose(onClose: () => void) {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  // Before the overlay is painted: the next event may be Back.
  useLayoutEffect(() => openOverlay(() => latest.current()), []);
}

/** Notices that the router has changed the history entry. */
export function useOverlayEntries() {
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs after every change of the location
  useEffect(addEntries, [location]);
}

/** Before the router starts: the browser calls the window's listeners in the order in which they were added. */
export const listenForBack = () => window.addEventListener("popstate", onPopState);
