/** One move of one of the account's tasks. */
export interface TaskEvent {
  taskId: string;
  kind: "clone" | "dub" | "trial" | "role";
  /** 1 running · 2 done · 3 failed. */
  status: 1 | 2 | 3;
  /** 0–1. */
  progress: number;
  segDone: number;
  segTotal: number;
  /** Tasks before this one; 0 when it runs. */
  queuePos: number;
  /** ErrorCode of a failed one, else "". */
  msg: string;
}

export interface TaskWatcher {
  onEvent(event: TaskEvent): void;
  /** Something may have been missed: read the list again. */
  onStale(): void;
}

interface Hearing {
  onOpen(): void;
  onEvent(number: number, event: TaskEvent): void;
  onLost(): void;
}

export interface FeedParts {
  /** Opens the stream after event number `since`, without one from now on; answers how to close it. */
  connect(since: number | null, hearing: Hearing): () => void;
}

const reconnectMs = 1000;
const pollMs = 2000;
/** How often the stream is tried again while the lists are polled. */
const pollsBetweenTries = 5;
const toleratedFailures = 2;

/**
 * The account's task events for everybody on the page: one stream, open while somebody watches. It goes on after the last
 * number heard; after two failures the lists are polled until it works again.
 */
export function createTaskFeed({ connect }: FeedParts) {
  const watchers = new Set<TaskWatcher>();
  let last: number | null = null;
  let failures = 0;
  let polls = 0;
  let close: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const staleAll = () => {
    for (const watcher of watchers) watcher.onStale();
  };

  function open() {
    close?.();
    close = connect(last, {
      onOpen() {
        // What happened before the first number is not told again.
        if (last === null || failures >= toleratedFailures) staleAll();
        failures = 0;
      },
      onEvent(number, event) {
        last = number;
        for (const watcher of watchers) watcher.onEvent(event);
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
    staleAll();
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
    watch(watcher: TaskWatcher): () => void {
      watchers.add(watcher);
      if (watchers.size === 1) open();
      return () => {
        if (watchers.delete(watcher) && watchers.size === 0) stop();
      };
    },
  };
}
