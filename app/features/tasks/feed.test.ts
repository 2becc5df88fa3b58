import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTaskFeed, type FeedParts, type TaskEvent } from "./feed";

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

function feedWithStreams() {
  const asked: Array<number | null> = [];
  let isClosed = true;
  let hearing: Parameters<FeedParts["connect"]>[1] | undefined;
  const feed = createTaskFeed({
    connect(since, next) {
      asked.push(since);
      hearing = next;
      isClosed = false;
      return () => {
        isClosed = true;
      };
    },
  });
  const stream = {
    open: () => hearing?.onOpen(),
    tell: (number: number) => hearing?.onEvent(number, event),
    lose: () => hearing?.onLost(),
    get isClosed() {
      return isClosed;
    },
  };
  return { feed, asked, stream };
}

const watcher = () => ({ onEvent: vi.fn(), onStale: vi.fn() });

test("everybody hears the one stream, which closes when the last one leaves", () => {
  const { feed, asked, stream } = feedWithStreams();
  const [one, two] = [watcher(), watcher()];
  const leave = [feed.watch(one), feed.watch(two)];
  stream.open();
  stream.tell(4);
  expect(asked).toEqual([null]);
  expect(one.onEvent).toHaveBeenCalledWith(event);
  expect(two.onEvent).toHaveBeenCalledOnce();
  expect(one.onStale).toHaveBeenCalledOnce();
  leave[0]?.();
  expect(stream.isClosed).toBe(false);
  leave[1]?.();
  expect(stream.isClosed).toBe(true);
});

test("a lost stream goes on after the last number, without reading the lists again", () => {
  const { feed, asked, stream } = feedWithStreams();
  const one = watcher();
  feed.watch(one);
  stream.open();
  stream.tell(4);
  stream.lose();
  vi.advanceTimersByTime(1000);
  stream.open();
  expect(asked).toEqual([null, 4]);
  expect(one.onStale).toHaveBeenCalledOnce();
});

test("after two failures the lists are polled every two seconds until the stream works again", () => {
  const { feed, asked, stream } = feedWithStreams();
  const one = watcher();
  feed.watch(one);
  stream.lose();
  vi.advanceTimersByTime(1000);
  stream.lose();
  expect(one.onStale).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1000 + 4 * 2000);
  expect(one.onStale).toHaveBeenCalledTimes(5);
  expect(asked).toHaveLength(3);
  stream.open();
  vi.advanceTimersByTime(60_000);
  expect(one.onStale).toHaveBeenCalledTimes(6);
});

test("nothing is asked once nobody watches", () => {
  const { feed, asked, stream } = feedWithStreams();
  const leave = feed.watch(watcher());
  stream.lose();
  leave();
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(1);
});
