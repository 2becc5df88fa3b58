import { expect, test } from "vitest";
import type { TaskEvent } from "~/features/tasks/feed";
import type { CloneRecord } from "~server/bff/generations.server";
import { fileName } from "./file-name";
import { mergeRecords } from "./merge";

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
const nothing = { made: [], gone: new Set<string>(), moves: new Map<string, TaskEvent>() };

test("what was made here stands first until the list has it", () => {
  const made = [record("b")];
  expect(mergeRecords([record("a")], { ...nothing, made }).map(({ taskId }) => taskId)).toEqual(["b", "a"]);
  expect(mergeRecords([record("b"), record("a")], { ...nothing, made })).toHaveLength(2);
});

test("what was deleted here is gone at once", () => {
  expect(mergeRecords([record("a"), record("b")], { ...nothing, gone: new Set(["a"]) })).toHaveLength(1);
});

test("an event moves its record", () => {
  const moves = new Map([event("a", {})]);
  expect(mergeRecords([record("a")], { ...nothing, moves })[0]).toMatchObject({
    progress: 0.5,
    segDone: 1,
    queuePos: 0,
  });
});

test("a finished one runs on at its end until its files are read", () => {
  const moves = new Map([event("a", { status: 2, progress: 1 })]);
  expect(mergeRecords([record("a")], { ...nothing, moves })[0]).toMatchObject({ status: 1, progress: 1 });
  const done = record("a", { status: 2, voiceUrl: "/files/a" });
  expect(mergeRecords([done], { ...nothing, moves })[0]).toBe(done);
});

test("a failed one says why, and runs again when it is told so", () => {
  const failed = mergeRecords([record("a")], {
    ...nothing,
    moves: new Map([event("a", { status: 3, msg: "cancelled" })]),
  });
  expect(failed[0]).toMatchObject({ status: 3, refusal: { code: "cancelled" } });
  const again = mergeRecords([record("a", { status: 3 })], { ...nothing, moves: new Map([event("a", {})]) });
  expect(again[0]).toMatchObject({ status: 1, refusal: null });
});

test("a file is named for who speaks, how it begins and when", () => {
  expect(fileName(record("a"), "mp3")).toBe("沈砚-银行里有人在等-20261121-1405.mp3");
  expect(fileName({ name: "", content: "好", createdAt: "" }, "wav")).toBe("好.wav");
});
