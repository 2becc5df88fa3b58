import { expect, test } from "vitest";
import type { TaskEvent } from "~/features/tasks/task-events";
import type { CloneRecord } from "~server/bff/generations.server";
import { fileName } from "./record-result";
import { mergeRecords } from "./use-records";

const record = (taskId: string, change: Partial<CloneRecord> = {}): CloneRecord => ({
  taskId,
  content: "银行(hang2)里，#0.5#有人 在等。",
  roleId: "r",
  name: "沈砚",
  avatar: "",
  portrait: null,
  voicePath: "",
  emotionPath: "",
  speed: 1,
  pitch: 0,
  volume: 0,
  ext: {},
  genre: 0,
  status: 1,
  progress: 0,
  segDone: 0,
  segTotal: 0,
  queuePos: 3,
  refusal: null,
  voiceUrl: "",
  timelineUrl: "",
  downloads: [],
  seconds: 0,
  characters: 8,
  createdAt: "2026-11-21T14:05:09+08:00",
  ...change,
});
const event = (taskId: string, change: Partial<TaskEvent>): [string, TaskEvent] => [
  taskId,
  { taskId, kind: "clone", status: 1, progress: 0.5, segDone: 1, segTotal: 2, queuePos: 0, msg: "", ...change },
];
const noChanges = { created: [], removed: new Set<string>(), events: new Map<string, TaskEvent>() };

test("a created record is first until the list contains it", () => {
  const created = [record("b")];
  expect(mergeRecords([record("a")], { ...noChanges, created }).map(({ taskId }) => taskId)).toEqual(["b", "a"]);
  expect(mergeRecords([record("b"), record("a")], { ...noChanges, created })).toHaveLength(2);
});

test("a removed record is hidden at once", () => {
  expect(mergeRecords([record("a"), record("b")], { ...noChanges, removed: new Set(["a"]) })).toHaveLength(1);
});

test("an event updates the progress of its record", () => {
  const events = new Map([event("a", {})]);
  expect(mergeRecords([record("a")], { ...noChanges, events })[0]).toMatchObject({
    progress: 0.5,
    segDone: 1,
    queuePos: 0,
  });
});

test("a finished record is shown as running until its files are loaded", () => {
  const events = new Map([event("a", { status: 2, progress: 1 })]);
  expect(mergeRecords([record("a")], { ...noChanges, events })[0]).toMatchObject({ status: 1, progress: 1 });
  const done = record("a", { status: 2, voiceUrl: "/files/a" });
  expect(mergeRecords([done], { ...noChanges, events })[0]).toBe(done);
});

test("a failure event sets the reason, a retry event clears it", () => {
  const failed = mergeRecords([record("a")], {
    ...noChanges,
    events: new Map([event("a", { status: 3, msg: "cancelled" })]),
  });
  expect(failed[0]).toMatchObject({ status: 3, refusal: { code: "cancelled" } });
  const again = mergeRecords([record("a", { status: 3 })], { ...noChanges, events: new Map([event("a", {})]) });
  expect(again[0]).toMatchObject({ status: 1, refusal: null });
});

test("a download's file is named by the first sentence, the voice and the time", () => {
  expect(fileName(record("a"), "mp3")).toBe("银行里，有人 在等-沈砚-20261121-1405.mp3");
  expect(fileName({ name: "", content: "好", createdAt: "" }, "wav")).toBe("好.wav");
});
