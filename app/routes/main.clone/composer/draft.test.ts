import { expect, test } from "vitest";
import { costOf } from "./composer";
import { type Draft, emptyDraft, findProblem } from "./draft";

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
