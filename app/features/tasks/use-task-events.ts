import { useEffect, useRef } from "react";
import { bffPaths } from "~/bff-paths";
import { useHasCall } from "~/offer";
import { countEnd } from "./count";
import { createTaskFeed, type FeedParts, type TaskEvent, type TaskWatcher } from "./feed";

const connect: FeedParts["connect"] = (since, { onOpen, onEvent, onLost }) => {
  const events = new EventSource(bffPaths.events(since));
  events.onopen = onOpen;
  events.addEventListener("task", ({ data }) => {
    const { number, event } = JSON.parse(data) as { number: number; event: TaskEvent };
    countEnd(event);
    onEvent(number, event);
  });
  // The stream's own way of trying again would ask for the old number.
  events.addEventListener("refusal", onLost);
  events.onerror = onLost;
  return () => events.close();
};

const feed = createTaskFeed({ connect });

/**
 * Tells of the account's tasks while `isWatching` and the page is looked at. `onStale` asks to read the lists again: at
 * first, after a gap, and every 2 s while events do not arrive. Where the upstream has no events, every 2 s while a task
 * runs (`isBusy`).
 */
export function useTaskEvents(onEvent: TaskWatcher["onEvent"], { onStale, isWatching = true, isBusy }: Options) {
  const hasEvents = useHasCall("taskEvents");
  const latest = useRef({ onEvent, onStale });
  useEffect(() => {
    latest.current = { onEvent, onStale };
  });
  const isPolling = isWatching && !hasEvents && isBusy;
  useEffect(() => {
    if (!isPolling) return;
    const timer = setInterval(() => document.hidden || latest.current.onStale(), pollMs);
    return () => clearInterval(timer);
  }, [isPolling]);
  useEffect(() => {
    if (!isWatching || !hasEvents) return;
    const watcher: TaskWatcher = {
      onEvent: (event) => latest.current.onEvent(event),
      onStale: () => latest.current.onStale(),
    };
    let leave: (() => void) | null = null;
    const follow = () => {
      if (document.hidden) leave?.();
      leave = document.hidden ? null : (leave ?? feed.watch(watcher));
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      leave?.();
    };
  }, [isWatching, hasEvents]);
}

const pollMs = 2000;

interface Options {
  onStale: TaskWatcher["onStale"];
  isWatching?: boolean;
  /** A task of the page runs. */
  isBusy: boolean;
}
