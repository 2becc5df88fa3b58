import { expect, test } from "vitest";
import type { Dub } from "~server/bff/generations.server";
import { hasText, type LineAudio, titleOf, withDubAudio, withoutDubAudio, withSentLines } from "./dub";
import { toLineStates } from "./editor/line-status";
import { createLine, lineKeyOf } from "./editor/script";

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

const none: ReadonlyMap<string, LineAudio> = new Map();
const states = (one: Dub, audios = none) => toLineStates(lines, audios, [one], () => "没有成功");

test("a dub without words has no text to edit", () => {
  expect(hasText(dub([2]))).toBe(true);
  expect(hasText(dub([]))).toBe(false);
  const wordless = dub([2]);
  Object.assign(wordless.lines[0] as object, { content: " " });
  expect(hasText(wordless)).toBe(false);
});

test("finished lines are ready while the others run or wait", () => {
  const running = dub([2, 1, 1]);
  const known = withDubAudio(none, running);
  expect(known.size).toBe(1);
  expect(withDubAudio(known, running)).toBe(known);
  const result = states(running, known);
  expect(result.get("l0")).toEqual({ kind: "ready", seconds: 1.5, overrunMs: 0 });
  expect(result.get("l1")).toEqual({ kind: "running", share: null });
  expect(result.get("l2")).toEqual({ kind: "queued", before: 1 });
});

test("a running line with several segments has a progress share", () => {
  const running = dub([2, 1, 1]);
  Object.assign(running.lines[1] as object, { segDone: 1, segTotal: 4 });
  expect(states(running).get("l1")).toEqual({ kind: "running", share: 0.25 });
});

test("the lines of a queued dub are shown as waiting for the dubs before it", () => {
  expect(states(dub([1, 1, 1], { queuePos: 2 })).get("l0")).toEqual({ kind: "queued", before: 2 });
});

test("a failed line has its error, and finished lines stay ready", () => {
  const failed = dub([2, 3, 1], { status: 3, reason: "synthesis-failed", failedAt: 1 });
  const result = states(failed, withDubAudio(none, failed));
  expect(result.get("l0")?.kind).toBe("ready");
  expect(result.get("l1")).toEqual({ kind: "failed", sentence: "没有成功" });
  expect(result.has("l2")).toBe(false);
  expect(states(dub([1, 1, 1], { status: 3, reason: "cancelled" })).size).toBe(0);
});

test("audio is assigned to the line by the text it was generated from, whatever its subtitle time", () => {
  const known = withDubAudio(none, dub([2, 2, 2]));
  const [first] = lines;
  if (!first) throw new Error("no line");
  expect(known.has(lineKeyOf({ ...first, content: "一一" }))).toBe(false);
  expect(known.has(lineKeyOf({ ...first, startMs: 4 }))).toBe(true);
  expect(withoutDubAudio(known, "d").size).toBe(0);
});

test("withSentLines adds the sent lines to a dub whose upstream returns none", () => {
  const sent = dub([1], { status: 1 }).lines;
  const received = { ...dub([]), status: 2, voiceUrl: "/v/whole" } as never as Dub;
  expect(withSentLines(received, sent).lines).toMatchObject([{ content: "一", status: 2, voiceUrl: "/v/whole" }]);
  expect(withSentLines(received, dub([1, 1]).lines).lines.map(({ voiceUrl }) => voiceUrl)).toEqual(["", ""]);
  expect(withSentLines(dub([2, 1]), sent).lines).toHaveLength(2);
});

test.each([
  ["清晨", ["天刚亮。"], "清晨"],
  ["", ["", "天[重读]刚[/重读]亮了#0.5#，银行(hang2)还没开。人多！"], "天刚亮了，银行还没开"],
  ["", ["是/否：去?"], "是否：去"],
  ["", [], "配音"],
])("titleOf takes the title %j, or else the first sentence of %j", (title, contents, expected) => {
  expect(titleOf({ title, lines: contents.map((content) => ({ content })) })).toBe(expected);
});
