import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followTrial, type TrialStep } from "./trial-call";

type Listener = (event: { data: string }) => void;

/** The newest event stream of the page. */
let stream: { emit(name: string, data: object): void; open(): void; lose(): void };
/** Answers to the reads of the trial; the last one is repeated. */
let answers: Array<() => Response>;
let reads: number;

const trial = (state: string) => () => Response.json({ taskId: "t", state, progress: 0 });
const lost = () => {
  throw new TypeError("Failed to fetch");
};
const gateway = () => Response.json({ refusal: { code: "request-failed" } }, { status: 502 });
const taskEvent = (status: number, over: object = {}) => ({
  number: 1,
  event: { taskId: "t", kind: "trial", status, progress: 0.5, segDone: 1, segTotal: 2, queuePos: 0, msg: "", ...over },
});

beforeEach(() => {
  vi.useFakeTimers();
  reads = 0;
  vi.stubGlobal("fetch", async () => (answers[reads++] ?? answers.at(-1) ?? lost)());
  vi.stubGlobal(
    "EventSource",
    class {
      onopen = () => {};
      onerror = () => {};
      constructor() {
        const listeners = new Map<string, Listener>();
        this.addEventListener = (name, listener) => void listeners.set(name, listener);
        stream = {
          emit: (name, data) => listeners.get(name)?.({ data: JSON.stringify(data) }),
          open: () => this.onopen(),
          lose: () => this.onerror(),
        };
      }
      addEventListener: (name: string, listener: Listener) => void;
      close() {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function follow(hasEvents: boolean) {
  const leaving = new AbortController();
  const steps: number[] = [];
  const onProgress = ({ progress }: TrialStep) => steps.push(progress);
  const ended = followTrial("t", leaving.signal, { hasEvents, onProgress });
  return { ended, steps, leaving };
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

test("a trial is read at its start and its end, and never while events say how far it is", async () => {
  answers = [trial("running")];
  const { ended, steps } = follow(true);
  stream.open();
  await pass(60);
  expect(reads).toBe(2);
  stream.emit("task", taskEvent(1));
  stream.emit("task", taskEvent(2, { taskId: "another" }));
  await pass(60);
  expect([reads, steps]).toEqual([2, [0, 0, 0.5]]);
  answers = [trial("done")];
  stream.emit("task", taskEvent(2));
  expect(await ended).toMatchObject({ state: "done" });
  expect(reads).toBe(3);
});

test("without events at the upstream a trial is read every two seconds, across five failures", async () => {
  answers = [trial("running"), lost, gateway, lost, gateway, lost, trial("running"), trial("done")];
  const { ended } = follow(false);
  await pass(14);
  expect(await ended).toMatchObject({ state: "done" });
  expect(reads).toBe(8);
});

test("the end of a trial is read until an answer has it, and a refusal ends the trial", async () => {
  answers = [
    trial("running"),
    lost,
    trial("running"),
    () => Response.json({ refusal: { code: "not-found" } }, { status: 404 }),
  ];
  const { ended } = follow(true);
  const refused = expect(ended).rejects.toMatchObject({ refusal: { code: "not-found" } });
  await pass(1);
  stream.emit("task", taskEvent(3));
  await pass(5);
  await refused;
});

test("a lost stream is opened again, and what it missed is read", async () => {
  answers = [trial("running"), trial("done")];
  const { ended } = follow(true);
  await pass(1);
  stream.lose();
  await pass(1);
  stream.lose();
  await pass(1);
  expect(await ended).toMatchObject({ state: "done" });
});

test("a trial that takes five minutes is given up, and one that is left ends at once", async () => {
  answers = [trial("running")];
  const { ended } = follow(true);
  const refused = expect(ended).rejects.toMatchObject({ refusal: { code: "timeout" } });
  await pass(300);
  await refused;
  const { ended: left, leaving } = follow(true);
  leaving.abort();
  expect(await left).toBeNull();
  const before = reads;
  await pass(300);
  expect(reads).toBe(before);
});
