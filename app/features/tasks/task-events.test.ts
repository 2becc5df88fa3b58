import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenToAnalyticsEvents } from "~/state/analytics-events";
import { type ConnectStream, createTaskFeed, pollMs, pollPauseMs, type TaskEvent, trackTaskEnd } from "./task-events";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const event: TaskEvent = {
  taskId: "a",
  kind: "clone",
  status: 1,
  progress: 0.5,
  segDone: 1,
  segTotal: 2,
  queuePos: 0,
  msg: "",
};

function createFeedWithStream() {
  const requested: Array<number | null> = [];
  let isClosed = true;
  let handlers: Parameters<ConnectStream>[1] | undefined;
  const feed = createTaskFeed((since, next) => {
    requested.push(since);
    handlers = next;
    isClosed = false;
    return () => {
      isClosed = true;
    };
  });
  const stream = {
    open: () => handlers?.onOpen(),
    emit: (number: number) => handlers?.onEvent(number, event),
    lose: () => handlers?.onLost(),
    get isClosed() {
      return isClosed;
    },
  };
  return { feed, requested, stream };
}

const createSubscriber = () => ({ onEvent: vi.fn(), onStale: vi.fn() });

test("the feed shares one stream and closes it with the last subscriber", () => {
  const { feed, requested, stream } = createFeedWithStream();
  const [one, two] = [createSubscriber(), createSubscriber()];
  const unsubscribe = [feed.subscribe(one), feed.subscribe(two)];
  stream.open();
  stream.emit(4);
  expect(requested).toEqual([null]);
  expect(one.onEvent).toHaveBeenCalledWith(event);
  expect(two.onEvent).toHaveBeenCalledOnce();
  expect(one.onStale).toHaveBeenCalledOnce();
  unsubscribe[0]?.();
  expect(stream.isClosed).toBe(false);
  unsubscribe[1]?.();
  expect(stream.isClosed).toBe(true);
});

test("a lost stream resumes after the last event number without a stale notification", () => {
  const { feed, requested, stream } = createFeedWithStream();
  const one = createSubscriber();
  feed.subscribe(one);
  stream.open();
  stream.emit(4);
  stream.lose();
  vi.advanceTimersByTime(1000);
  stream.open();
  expect(requested).toEqual([null, 4]);
  expect(one.onStale).toHaveBeenCalledOnce();
});

test("two failures start polling every two seconds until the stream works again", () => {
  const { feed, requested, stream } = createFeedWithStream();
  const one = createSubscriber();
  feed.subscribe(one);
  stream.lose();
  vi.advanceTimersByTime(1000);
  stream.lose();
  expect(one.onStale).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1000 + 4 * 2000);
  expect(one.onStale).toHaveBeenCalledTimes(5);
  expect(requested).toHaveLength(3);
  stream.open();
  vi.advanceTimersByTime(60_000);
  expect(one.onStale).toHaveBeenCalledTimes(6);
});

test("the feed does not reconnect without subscribers", () => {
  const { feed, requested, stream } = createFeedWithStream();
  const unsubscribe = feed.subscribe(createSubscriber());
  stream.lose();
  unsubscribe();
  vi.advanceTimersByTime(60_000);
  expect(requested).toHaveLength(1);
});

test("trackTaskEnd tracks finished clones, dubs and roles with the reason of a failure", () => {
  // Other test files of this worker may have queued events.
  listenToAnalyticsEvents(() => {})();
  const tracked: unknown[] = [];
  const stop = listenToAnalyticsEvents((...event) => tracked.push(event));
  trackTaskEnd({ kind: "clone", status: 1, msg: "" });
  trackTaskEnd({ kind: "clone", status: 2, msg: "" });
  trackTaskEnd({ kind: "dub", status: 3, msg: "synthesis-failed" });
  trackTaskEnd({ kind: "role", status: 2, msg: "" });
  trackTaskEnd({ kind: "trial", status: 2, msg: "" });
  stop();
  expect(tracked).toEqual([
    ["generated", { where: "clone" }],
    ["generation_failed", { where: "dub", why: "synthesis-failed" }],
    ["generated", { where: "role" }],
  ]);
});

test("the longer a task takes, the rarer it is asked for", () => {
  let polls = 0;
  for (let waitedMs = 0; waitedMs < 300_000; waitedMs += pollPauseMs(waitedMs)) polls += 1;
  expect(polls).toBeLessThan(50);
  expect([0, 60_000, 3_600_000].map(pollPauseMs)).toEqual([pollMs, 6000, 30_000]);
});
