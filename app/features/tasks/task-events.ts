import { useEffect, useRef } from "react";
import { bffPaths } from "~/call";
import { track } from "~/state/analytics-events";
import { useHasCall } from "~/state/capabilities";
import type { CallData } from "~server/contract/calls/table";

/** A status change or progress of one of the account's tasks. */
export type TaskEvent = CallData<"taskEvents">;

export interface TaskSubscriber {
  onEvent(event: TaskEvent): void;
  /** Events may have been missed: read the list again. */
  onStale(): void;
}

interface StreamHandlers {
  onOpen(): void;
  onEvent(number: number, event: TaskEvent): void;
  onLost(): void;
}

/** Opens the event stream after event number `since`, or from now on if null; returns a function that closes it. */
export type ConnectStream = (since: number | null, handlers: StreamHandlers) => () => void;

const reconnectMs = 1000;
/** Between two polls where there are no events. */
export const pollMs = 2000;
/** The stream is tried again after this many polls. */
const pollsBetweenTries = 5;
const toleratedFailures = 2;

/**
 * Shares one event stream among all subscribers of the page; it is open while there are any. It reconnects after the last
 * received event number. After two failures the subscribers poll until it works again.
 */
export function createTaskFeed(connect: ConnectStream) {
  const subscribers = new Set<TaskSubscriber>();
  let lastNumber: number | null = null;
  let failures = 0;
  let polls = 0;
  let close: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const notifyStale = () => {
    for (const subscriber of subscribers) subscriber.onStale();
  };

  function open() {
    close?.();
    close = connect(lastNumber, {
      onOpen() {
        // Without a last number the server does not repeat earlier events.
        if (lastNumber === null || failures >= toleratedFailures) notifyStale();
        failures = 0;
      },
      onEvent(number, event) {
        lastNumber = number;
        for (const subscriber of subscribers) subscriber.onEvent(event);
      },
      onLost() {
        close?.();
        close = null;
        failures += 1;
        polls = 0;
        timer = setTimeout(failures < toleratedFailures ? open : poll, reconnectMs);
      },
    });
  }

  function poll() {
    notifyStale();
    polls += 1;
    if (polls >= pollsBetweenTries) open();
    else timer = setTimeout(poll, pollMs);
  }

  function stop() {
    clearTimeout(timer);
    close?.();
    close = null;
    failures = 0;
  }

  return {
    /** Returns a function that unsubscribes. */
    subscribe(subscriber: TaskSubscriber): () => void {
      subscribers.add(subscriber);
      if (subscribers.size === 1) open();
      return () => {
        if (subscribers.delete(subscriber) && subscribers.size === 0) stop();
      };
    },
  };
}

const feed = createTaskFeed((since, { onOpen, onEvent, onLost }) => {
  const source = new EventSource(bffPaths.events(since));
  source.onopen = onOpen;
  source.addEventListener("task", ({ data }) => {
    const { number, event } = JSON.parse(data) as { number: number; event: TaskEvent };
    trackTaskEnd(event);
    onEvent(number, event);
  });
  // EventSource would reconnect with the old number.
  source.addEventListener("refusal", onLost);
  source.onerror = onLost;
  return () => source.close();
});

/** Subscribes to the account's or the visitor's task events; returns a function that unsubscribes. */
export const subscribeToTasks = feed.subscribe;

/** Tracks the end of a task. Trials are tracked by the home page, for visitors too. */
export function trackTaskEnd({ kind, status, msg }: Pick<TaskEvent, "kind" | "status" | "msg">) {
  if (kind === "trial" || status === 1) return;
  if (status === 2) track("generated", { where: kind });
  else track("generation_failed", { where: kind, why: msg });
}

/** Pause before the next poll where an upstream has no events: a tenth of the time waited, 2 s at least and 30 s at most. */
export const pollPauseMs = (waitedMs: number) => Math.min(30_000, Math.max(pollMs, waitedMs / 10));

interface FeedOptions {
  onStale: TaskSubscriber["onStale"];
  isWatching?: boolean;
  /** A task of the page is running. */
  isBusy: boolean;
  /** Whether the stream stays open in the background while a task runs. */
  staysOpen?: () => boolean;
}

const never = () => false;

/**
 * Subscribes to the account's task events while `isWatching` and the page is visible, or in the background while
 * `staysOpen`. `onStale` is called at first, after
 * a gap, and every 2 s while the stream is lost; without events at the upstream, by `pollPauseMs` while `isBusy`.
 */
export function useTaskEvents(
  onEvent: TaskSubscriber["onEvent"],
  { onStale, isWatching = true, isBusy, staysOpen = never }: FeedOptions,
) {
  const hasEvents = useHasCall("taskEvents");
  const latest = useRef({ onEvent, onStale, isBusy, staysOpen });
  useEffect(() => {
    latest.current = { onEvent, onStale, isBusy, staysOpen };
  });
  const follow = useRef(() => {});
  const isPolling = isWatching && !hasEvents && isBusy;
  useEffect(() => {
    if (!isPolling) return;
    const startedAt = Date.now();
    const poll = () => {
      if (!document.hidden) latest.current.onStale();
      timer = setTimeout(poll, pollPauseMs(Date.now() - startedAt));
    };
    let timer = setTimeout(poll, pollMs);
    return () => clearTimeout(timer);
  }, [isPolling]);
  useEffect(() => {
    if (!isWatching || !hasEvents) return;
    const subscriber: TaskSubscriber = {
      onEvent: (event) => latest.current.onEvent(event),
      onStale: () => latest.current.onStale(),
    };
    let unsubscribe: (() => void) | null = null;
    const followVisibility = () => {
      const isAway = document.hidden && !(latest.current.isBusy && latest.current.staysOpen());
      if (isAway) unsubscribe?.();
      unsubscribe = isAway ? null : (unsubscribe ?? feed.subscribe(subscriber));
    };
    followVisibility();
    document.addEventListener("visibilitychange", followVisibility);
    follow.current = followVisibility;
    return () => {
      document.removeEventListener("visibilitychange", followVisibility);
      follow.current = () => {};
      unsubscribe?.();
    };
  }, [isWatching, hasEvents]);
  // The end of the last task closes the stream of a page in the background.
  useEffect(() => {
    if (!isBusy) follow.current();
  }, [isBusy]);
}
