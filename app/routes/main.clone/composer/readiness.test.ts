import { expect, test } from "vitest";
import { type Draft, emptyDraft } from "./draft";
import { costOf, problemOf } from "./readiness";

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

test("voice and text are enough", () => {
  expect(problemOf(ready, null)).toBeNull();
});

test.each([
  ["no voice", { voice: null }, "voice"],
  ["no recording", { from: "reference" as const }, "voice"],
  ["no text", { content: " #0.5# " }, "text"],
  ["too much text", { content: "字".repeat(501) }, "text"],
  ["no recording for the tone", { tone: { ...ready.tone, genre: 1 as const } }, "tone"],
])("%s is asked for", (_case, change, where) => {
  expect(problemOf({ ...ready, ...change }, member)).toMatchObject({ where });
});

test("a recording the upstream has already is enough", () => {
  expect(problemOf({ ...ready, from: "reference", voicePath: "/files/a" }, null)).toBeNull();
  expect(problemOf({ ...ready, tone: { ...ready.tone, genre: 1 }, emotionPath: "/files/b" }, member)).toBeNull();
});

test.each([
  ["a visitor", null, false, { kind: "visitor", need: 4 }],
  ["a member", member, true, { kind: "characters", need: 4, left: 49_996 }],
  ["a member with too little", { ...member, left: 3 }, true, { kind: "short", need: 4, left: 3 }],
  ["somebody without a tier", { tier: null, limit: 100, left: 2 }, true, { kind: "trial", left: 1 }],
  ["somebody who has used all", { tier: null, limit: 100, left: 0 }, true, { kind: "no-trial" }],
  ["a member whose upstream tells no quota", { ...member, left: null }, true, { kind: "need", need: 4 }],
  ["nobody knows", null, true, { kind: "nothing" }],
])("what it takes of %s", (_who, allowance, isLoggedIn, cost) => {
  expect(costOf("春天来了#0.5#", allowance, isLoggedIn)).toEqual(cost);
});
