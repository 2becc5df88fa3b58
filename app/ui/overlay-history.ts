import { useEffect, useLayoutEffect, useRef } from "react";

interface Overlay {
  close(): void;
}

/** The parts of `window` that this file uses. */
export interface HistoryWindow {
  history: Pick<History, "state" | "pushState" | "replaceState" | "go">;
  addEventListener(type: "popstate", listener: (event: Event) => void): void;
  setTimeout(run: () => void, ms?: number): unknown;
}

/** A traversal without an entry to go to fires no event. */
const crossingLimitMs = 1000;

/**
 * Gives each open overlay (dialog, sheet) a history entry of the same address on top of the page's, so that Back closes
 * the overlay and not the page. Closing it another way takes the entry back. The router never hears of these entries: a
 * page it pushes replaces them. See docs/decisions/0031-overlay-history.md.
 */
export function createOverlayHistory({ history, addEventListener, setTimeout }: HistoryWindow) {
  const overlays: Overlay[] = [];
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  /** Entries that our own unfinished `history.go` crosses; 0 for none. */
  let crossing = 0;
  let crossings = 0;
  /** A page was pushed during that: go back to it. */
  let isPageAbove = false;
  let isScheduled = false;

  const read = () => {
    const { key, idx, overlayDepth = 0 } = history.state ?? {};
    return { page: `${idx} ${key}`, depth: Number(overlayDepth) };
  };
  let here = read();

  const go = (delta: number) => {
    crossing = Math.abs(delta);
    history.go(delta);
    const current = ++crossings;
    setTimeout(() => {
      if (current !== crossings || !crossing) return;
      crossing = 0;
      // On a slow machine the traversal may still be on its way, and a second one would leave the page.
      replace({ ...history.state, overlayDepth: overlays.length }, "");
      here = read();
    }, crossingLimitMs);
  };
  /** After React has drawn, so that a dialog which takes another's place takes its entry too. */
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(reconcile);
  };
  function reconcile() {
    isScheduled = false;
    if (crossing) return;
    const { depth } = read();
    if (depth > overlays.length) return go(overlays.length - depth);
    for (let next = depth + 1; next <= overlays.length; next++) push({ ...history.state, overlayDepth: next }, "");
    here = read();
  }

  const onPopState = (event: Event) => {
    const before = here;
    here = read();
    if (crossing) {
      event.stopImmediatePropagation();
      const crossed = crossing;
      crossing = 0;
      if (isPageAbove) go(crossed);
      isPageAbove = false;
      return schedule();
    }
    if (here.page === before.page && here.depth !== before.depth) {
      event.stopImmediatePropagation();
      for (const overlay of overlays.slice(here.depth).reverse()) overlay.close();
    }
    schedule();
  };
  addEventListener("popstate", onPopState);

  history.pushState = (state, unused, url) => {
    if (read().depth > 0) {
      replace(state, unused, url);
      isPageAbove = crossing > 0;
    } else push(state, unused, url);
    here = read();
    schedule();
  };
  history.replaceState = (state, unused, url) => {
    replace(state, unused, url);
    here = read();
    schedule();
  };
  // A reload keeps the entries and loses the overlays.
  schedule();

  return {
    /** Puts an overlay on top; returns what takes it away. */
    open(overlay: Overlay): () => void {
      overlays.push(overlay);
      // At once: the next event may be Back.
      reconcile();
      return () => {
        overlays.splice(overlays.indexOf(overlay), 1);
        schedule();
      };
    },
  };
}

let browser: ReturnType<typeof createOverlayHistory> | undefined;

/**
 * Once per document, before the router starts: Chromium calls the window's listeners in the order in which they were
 * added, and only the first one can keep an event from the others.
 */
export function startOverlayHistory() {
  browser ??= createOverlayHistory({
    history: window.history,
    addEventListener: (...listener) => window.addEventListener(...listener),
    setTimeout: (run, ms) => window.setTimeout(run, ms),
  });
  return browser;
}

/** While mounted, Back calls `onClose` and stays on the page. */
export function useBackToClose(onClose: () => void) {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  // Before the overlay is painted; the one whose place it takes has gone by then.
  useLayoutEffect(() => startOverlayHistory().open({ close: () => latest.current() }), []);
}
