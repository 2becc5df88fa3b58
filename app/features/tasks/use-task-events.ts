import { useEffect, useRef } from "react";
import { bffPaths } from "~/bff-paths";
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
 * first, after a gap, and every 2 s while events do not arrive.
 */
export function useTaskEvents(onEvent: TaskWatcher["onEvent"], { onStale, isWatching = true }: Options) {
  const latest = useRef({ onEvent, onStale });
  useEffect(() => {
    latest.current = { onEvent, onStale };
  });
  useEffect(() => {
    if (!isWatching) return;
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
  }, [isWatching]);
}

interface Options {
  onStale: TaskWatcher["onStale"];
  isWatching?: boolean;
}
