import { createSavedText } from "~/ui/store";

/** User actions that analytics counts. */
export type AnalyticsEvent = "login" | "order_created" | "paid" | "generated" | "generation_failed" | "role_created";
export type AnalyticsDetails = Record<string, string | number>;
type AnalyticsListener = (event: AnalyticsEvent, details: AnalyticsDetails) => void;

const queueMax = 20;
const queue: [AnalyticsEvent, AnalyticsDetails][] = [];
let listener: AnalyticsListener | null = null;

/** Emits an event to the listener. Events before one exists are queued, up to 20. */
export function track(event: AnalyticsEvent, details: AnalyticsDetails = {}) {
  if (listener) listener(event, details);
  else if (queue.length < queueMax) queue.push([event, details]);
}

const savedEvent = createSavedText("event-before-reload");

/** For an event right before a reload: the next page emits it. */
export const trackAfterReload = (event: AnalyticsEvent) => void savedEvent.write(event);

/** Replaces the listener and calls it at once for every queued event. Returns the unsubscribe function. */
export function listenToAnalyticsEvents(next: AnalyticsListener): () => void {
  listener = next;
  const saved = savedEvent.take();
  if (saved) queue.push([saved as AnalyticsEvent, {}]);
  for (const [event, details] of queue.splice(0)) next(event, details);
  return () => {
    if (listener === next) listener = null;
  };
}
