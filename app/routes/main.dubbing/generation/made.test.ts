import { expect, test } from "vitest";
import type { Dub } from "~server/bff/generations.server";
import { keyOf } from "../editor/cost";
import { createLine } from "../editor/script";
import { lineStates, type Made, withKnownLines, withMade, withoutDub } from "./made";

const lines = ["一", "二", "三"].map((content, index) => createLine({ id: `l${index}`, roleId: "r", content }));

function dub(statuses: Array<1 | 2 | 3>, more: Partial<Dub> = {}): Dub {
  return {
    dubbId: "d",
    status: statuses.includes(1) ? 1 : 2,
    queuePos: 0,
    segDone: 0,
    segTotal: 3,
    lines: statuses.map((status, index) => ({
      ...lines[index],
      status,
      voiceUrl: status === 2 ? `/v/${index}` : "",
      timelineUrl: "",
      duration: 1.5,
      overrunMs: index === 1 ? 400 : 0,
    })),
    ...more,
  } as never as Dub;
}

const none: ReadonlyMap<string, Made> = new Map();
const states = (one: Dub, made = none) => lineStates(lines, made, [one], () => "没有成功");

test("finished lines can be heard while the others are made and wait", () => {
  const running = dub([2, 1, 1]);
  const known = withMade(none, running);
  expect(known.size).toBe(1);
  expect(withMade(known, running)).toBe(known);
  const told = states(running, known);
  expect(told.get("l0")).toEqual({ kind: "made", seconds: 1.5, overrunMs: 0 });
  expect(told.get("l1")).toEqual({ kind: "running", share: null });
  expect(told.get("l2")).toEqual({ kind: "waiting", before: 1 });
});

test("a line of several segments tells how much of it is there", () => {
  const running = dub([2, 1, 1]);
  Object.assign(running.lines[1] as object, { segDone: 1, segTotal: 4 });
  expect(states(running).get("l1")).toEqual({ kind: "running", share: 0.25 });
});

test("a dub that waits itself has its lines wait behind it", () => {
  expect(states(dub([1, 1, 1], { queuePos: 2 })).get("l0")).toEqual({ kind: "waiting", before: 2 });
});

test("the line that failed says so, the finished ones stay", () => {
  const failed = dub([2, 3, 1], { status: 3, reason: "synthesis-failed", failedAt: 1 });
  const told = states(failed, withMade(none, failed));
  expect(told.get("l0")?.kind).toBe("made");
  expect(told.get("l1")).toEqual({ kind: "failed", sentence: "没有成功" });
  expect(told.has("l2")).toBe(false);
  expect(states(dub([1, 1, 1], { status: 3, reason: "cancelled" })).size).toBe(0);
});

test("an edited line is no longer what was made; undone, it is again", () => {
  const known = withMade(none, dub([2, 2, 2]));
  const [first] = lines;
  if (!first) throw new Error("no line");
  expect(known.has(keyOf({ ...first, content: "一一" }))).toBe(false);
  expect(known.has(keyOf({ ...first, startMs: 4 }))).toBe(true);
  expect(withoutDub(known, "d").size).toBe(0);
});

test("keeps the lines it was sent for a dub whose upstream tells none", () => {
  const sent = dub([1], { status: 1 }).lines;
  const told = { ...dub([]), status: 2, voiceUrl: "/v/whole" } as never as Dub;
  expect(withKnownLines(told, sent).lines).toMatchObject([{ content: "一", status: 2, voiceUrl: "/v/whole" }]);
  expect(withKnownLines(told, dub([1, 1]).lines).lines.map(({ voiceUrl }) => voiceUrl)).toEqual(["", ""]);
  expect(withKnownLines(dub([2, 1]), sent).lines).toHaveLength(2);
});
