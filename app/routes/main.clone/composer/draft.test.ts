import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { costCopy } from "~/copy/generation";
import type { CloneRecord } from "~server/bff/generations.server";
import { type Draft, emptyDraft, findEqual, findProblem } from "./draft";
import { CostLine, costOf } from "./submit-bar";

const voice: Draft["voice"] = {
  roleId: "shen-yan",
  name: "沈砚",
  describe: "",
  avatar: "",
  portrait: null,
  voiceUrl: "",
  timelineUrl: "",
  status: 2,
};
const ready: Draft = { ...emptyDraft, voice, content: "春天来了" };
const member = { tier: "vip", limit: 500, left: 50_000 } as const;

test("findProblem accepts a voice and a text", () => {
  expect(findProblem(ready, null)).toBeNull();
});

test.each([
  ["no voice", { voice: null }, "voice"],
  ["no recording", { from: "reference" as const }, "voice"],
  ["no text", { content: " #0.5# " }, "text"],
  ["too much text", { content: "字".repeat(501) }, "text"],
  ["no recording for the tone", { tone: { ...ready.tone, genre: 1 as const } }, "tone"],
])("findProblem reports %s", (_case, change, where) => {
  expect(findProblem({ ...ready, ...change }, member)).toMatchObject({ where });
});

test("findProblem accepts an earlier recording", () => {
  expect(findProblem({ ...ready, from: "reference", voicePath: "/files/a" }, null)).toBeNull();
  expect(findProblem({ ...ready, tone: { ...ready.tone, genre: 1 }, emotionPath: "/files/b" }, member)).toBeNull();
});

test.each([
  ["a visitor", null, false, { kind: "visitor", need: 4 }],
  ["a member", member, true, { kind: "characters", need: 4, left: 49_996 }],
  ["a member with too little", { ...member, left: 3 }, true, { kind: "short", need: 4, left: 3 }],
  ["an account without a tier", { tier: null, limit: 100, left: 2 }, true, { kind: "trial", left: 1 }],
  ["an account without trials left", { tier: null, limit: 100, left: 0 }, true, { kind: "no-trial" }],
  ["a member with unknown quota", { ...member, left: null }, true, { kind: "need", need: 4 }],
  ["an unknown allowance", null, true, { kind: "nothing" }],
])("costOf returns the character count for %s", (_case, allowance, isLoggedIn, cost) => {
  expect(costOf("春天来了#0.5#", allowance, isLoggedIn)).toEqual(cost);
});

test("before anything is written the bar says what is left", () => {
  expect(costOf("", member, true)).toEqual({ kind: "rest", left: 50_000, isTrials: false });
  expect(costOf(" ", { tier: null, limit: 100, left: 2 }, true)).toEqual({ kind: "rest", left: 2, isTrials: true });
  expect(costOf("", null, false)).toEqual({ kind: "visitor", need: 0 });
});

const record = {
  ...{ taskId: "1", status: 2, voiceUrl: "/files/b", content: "春天来了", roleId: "shen-yan", voicePath: "" },
  ...{ speed: 1, pitch: 0, volume: 0, genre: 0, ext: {}, emotionPath: "" },
} as unknown as CloneRecord;
const recorded = { ...record, roleId: "", voicePath: "/files/a" };
const happy = { ...ready.tone, genre: 2 as const, ext: { happy: 0.5, sad: 0 } };

test.each([
  ["text, voice and tone", {}, record],
  ["spaces around the text", { content: " 春天来了\n" }, record],
  ["a recording", { from: "reference" as const, voicePath: "/files/a" }, recorded],
  ["feelings", { tone: happy }, { ...record, genre: 2, ext: { happy: 0.5 } }],
  ["a running record", {}, { ...record, status: 1 as const }],
])("findEqual finds the record of an unchanged draft: %s", (_case, change, same) => {
  expect(findEqual({ ...ready, ...change }, [{ ...same, content: "别的话" }, same])).toBe(same);
});

test.each([
  ["another text", { content: "春天来了。" }, record],
  ["another voice", { voice: { ...(voice as NonNullable<Draft["voice"]>), roleId: "other" } }, record],
  ["another speed", { tone: { ...ready.tone, speed: 1.2 } }, record],
  ["another tone", { tone: happy }, record],
  ["a recording without an upload", { from: "reference" as const }, recorded],
  ["a failed record", {}, { ...record, status: 3 as const }],
  ["no text", { content: "" }, { ...record, content: "" }],
])("findEqual finds nothing for %s", (_case, change, other) => {
  expect(findEqual({ ...ready, ...change }, [other])).toBeNull();
});

test("what is used up is red, but not while a job of the account runs, of this tab or another", () => {
  const show = (hasRunning: boolean) =>
    renderToStaticMarkup(createElement(CostLine, { cost: { kind: "no-trial" }, equal: null, hasRunning }));
  expect(show(false)).toContain(`text-seal">${costCopy.noTrial}`);
  expect(show(true)).toContain(`text-ink">${costCopy.noTrial}`);
});
