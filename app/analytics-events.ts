/** What people do that is worth counting. */
export type Deed = "login" | "order_created" | "paid" | "generated" | "generation_failed" | "role_created";

export type DeedDetails = Record<string, string | number>;

type Listener = (deed: Deed, details: DeedDetails) => void;

const mostWaiting = 20;

const waiting: [Deed, DeedDetails][] = [];
let listener: Listener | null = null;

/** Tells whoever counts, now or once they listen. Nobody listens where nothing is counted. */
export function track(deed: Deed, details: DeedDetails = {}) {
  if (listener) listener(deed, details);
  else if (waiting.length < mostWaiting) waiting.push([deed, details]);
}

const keptKey = "deed-before-reload";

/** For a deed after which the page reloads at once: the next page tells it. */
export function trackAfterReload(deed: Deed) {
  try {
    sessionStorage.setItem(keptKey, deed);
  } catch {}
}

/** One listener at a time; it hears at once what it missed. Gives back how to stop. */
export function listenToDeeds(next: Listener): () => void {
  listener = next;
  try {
    const deed = sessionStorage.getItem(keptKey);
    sessionStorage.removeItem(keptKey);
    if (deed) waiting.push([deed as Deed, {}]);
  } catch {}
  for (const [deed, details] of waiting.splice(0)) next(deed, details);
  return () => {
    if (listener === next) listener = null;
  };
}
