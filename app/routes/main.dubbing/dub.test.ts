import { expect, test } from "vitest";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import type { Dub } from "~server/bff/generations.server";
import {
  failureText,
  hasText,
  isDubOf,
  type LineAudio,
  titleOf,
  toExportItems,
  toTakeLines,
  withDubAudio,
  withoutDubAudio,
  withSentLines,
} from "./dub";
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

test("the audiobook of a chapter is saved under its book's name", () => {
  const chapter = { bookId: "b", book: "山中", number: 1 };
  const itemOf = (one: Dub) => toExportItems(one, true).find(({ label }) => label === dubbingRecordsCopy.formats.m4b);
  const named = (title: string) => expect.stringContaining(encodeURIComponent(`${title}.m4b`));
  const files = { title: "第二章", downloads: [], voiceUrl: "/v" };
  expect(itemOf(dub([2], { ...files, chapter }))).toMatchObject({
    href: named("山中"),
    note: dubbingRecordsCopy.wholeBook,
  });
  const alone = itemOf(dub([2], { ...files, chapter: null }));
  expect([alone?.href, alone?.note]).toEqual([named("第二章"), undefined]);
});

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

test("an overrun belongs to a line's place, and is gone when it is allowed or another speed may be used", () => {
  const place = { startMs: 1000, endMs: 1500 };
  const one = dub([2, 2]);
  Object.assign(one.lines[1] as object, place);
  const audios = withDubAudio(none, one);
  expect(withDubAudio(audios, one)).toBe(audios);
  const overrunOf = (change: object) => {
    const line = { ...lines[1], ...place, ...change } as (typeof lines)[number];
    const state = toLineStates([line], audios, [], () => "").get("l1");
    return state?.kind === "ready" ? state.overrunMs : null;
  };
  expect(overrunOf({})).toBe(400);
  expect(overrunOf({ startMs: 3000, endMs: 3500 })).toBe(400);
  expect(overrunOf({ endMs: 2000 })).toBe(0);
  expect(overrunOf({ mayOverrun: true })).toBe(0);
  expect(overrunOf({ speedUpMax: 1.5 })).toBe(0);
  expect(isDubOf(one, [lines[0], { ...lines[1], ...place }] as typeof lines)).toBe(true);
  expect(isDubOf(one, [lines[0], { ...lines[1], ...place, speedUpMax: 1.5 }] as typeof lines)).toBe(false);
});

test("a take speaks its lines soon, in places as long as their own", () => {
  const timed = lines.map((line, at) =>
    at === 1 ? line : { ...line, startMs: 600_000 + at * 9000, endMs: 602_000 + at * 9000 },
  );
  expect(toTakeLines(timed).map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 2000],
    [undefined, undefined],
    [3000, 5000],
  ]);
});

test("a failed dub says the Chinese reason of another upstream", () => {
  expect(failureText(dub([3], { reason: "角色已下架" }))).toBe("角色已下架");
  expect(failureText(dub([3], { reason: "SYNTH_FAIL" }))).not.toContain("SYNTH");
});
