import { createSavedValue } from "~/ui/store";

export type NoticeKind = "success" | "error" | "warning" | "info";
export interface Notice {
  kind: NoticeKind;
  text: string;
  /** Milliseconds; the kind's own when left out. */
  lasts?: number | undefined;
}

/** Specification section 9. */
export const lasting: Record<NoticeKind, number> = { success: 3000, error: 5000, warning: 4000, info: 3000 };

const saved = createSavedValue("notice", (json) => json as Notice | null);

/** Shows the notice after the reload that follows. */
export const notifyAfterReload = (notice: Notice) => void saved.write(notice);

export function showSavedNotice() {
  const notice = saved.take();
  if (notice) notify(notice);
}

const waiting: Notice[] = [];
const watchers = new Set<() => void>();
let show: ((notice: Notice) => void) | null = null;
let isWanted = false;

/** Shows a notice at the top right. Nothing is loaded before the first one. */
export function notify(notice: Notice) {
  if (show) return show(notice);
  waiting.push(notice);
  isWanted = true;
  for (const watch of watchers) watch();
}

/** The container calls this once it stands, and with null when it goes. */
export function connectNotices(next: ((notice: Notice) => void) | null) {
  show = next;
  if (next) for (const notice of waiting.splice(0)) next(notice);
}

export const noticesWanted = {
  subscribe(watch: () => void) {
    watchers.add(watch);
    return () => {
      watchers.delete(watch);
    };
  },
  now: () => isWanted,
  /** The newest notice that no container shows yet. */
  lastWaiting: () => waiting.at(-1)?.text ?? null,
  dropWaiting() {
    waiting.length = 0;
    for (const watch of watchers) watch();
  },
};
