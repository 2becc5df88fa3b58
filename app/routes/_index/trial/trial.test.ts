import { expect, test } from "vitest";
import { charactersFree } from "~server/contract/limits";
import { findProblem, toTrialRequest } from "./run-trial";
import { isResultOf, withDefaultSample } from "./trial";
import type { TrialState, TrialVoice } from "./trial-state";

const reference = (verdict: "good" | "refused"): NonNullable<TrialVoice["references"]["record"]> => ({
  id: "1",
  sound: new Blob(),
  name: "recording.wav",
  heights: [],
  seconds: 8,
  transcript: "春天来了",
  quality: {
    durationMs: 8000,
    speechSeconds: 6,
    snrDb: 30,
    peakDb: -3,
    clipping: 0,
    verdict,
    tips: verdict === "good" ? [] : ["silent"],
  },
});
const none = { record: null, upload: null };
const human = { roleId: "shen-yan", name: "沈砚", describe: "", voiceUrl: "" };

test.each([
  ["no recording", { source: "record", references: none, roleId: null }, "你好", "voice"],
  ["no sample", { source: "sample", references: none, roleId: null }, "你好", "voice"],
  [
    "a refused recording",
    { source: "record", references: { ...none, record: reference("refused") }, roleId: null },
    "好",
    "voice",
  ],
  ["no text", { source: "sample", references: none, roleId: "shen-yan" }, " #0.5# ", "text"],
  [
    "too much text",
    { source: "sample", references: none, roleId: "shen-yan" },
    "字".repeat(charactersFree + 1),
    "text",
  ],
] as const)("findProblem reports %s", (_case, voice, text, where) => {
  expect(findProblem(voice, text)).toMatchObject({ where });
});

test("findProblem accepts a text at the limit and does not count marks", () => {
  const voice: TrialVoice = { source: "sample", references: none, roleId: "shen-yan" };
  expect(findProblem(voice, `${"字".repeat(charactersFree)}#0.5#`)).toBeNull();
});

test("withDefaultSample selects the first sample unless another existing one is selected", () => {
  const voice: TrialVoice = { source: "sample", references: none, roleId: null };
  const other = { ...human, roleId: "lin-xiaoman" };
  expect(withDefaultSample(voice, [human, other]).roleId).toBe("shen-yan");
  expect(withDefaultSample({ ...voice, roleId: "lin-xiaoman" }, [human, other]).roleId).toBe("lin-xiaoman");
  expect(withDefaultSample({ ...voice, roleId: "deleted" }, [human]).roleId).toBe("shen-yan");
  expect(withDefaultSample(voice, []).roleId).toBeNull();
});

test("toTrialRequest contains the selected role or the recording", () => {
  const references = { ...none, record: reference("good") };
  expect(toTrialRequest({ source: "sample", references, roleId: "shen-yan" }, "你好", [human])).toEqual({
    content: "你好",
    voiceName: "沈砚",
    roleId: "shen-yan",
  });
  expect(toTrialRequest({ source: "record", references, roleId: "shen-yan" }, "你好", [human])).toMatchObject({
    reference: { transcript: "春天来了" },
  });
});

const done = (request: object) => ({ phase: "done", request: { content: "你好", ...request } }) as TrialState;
const sample: TrialVoice = { source: "sample", references: none, roleId: "shen-yan" };
const own: TrialVoice = {
  source: "record",
  references: { ...none, record: { ...reference("good"), voicePath: "/files/a" } },
  roleId: "shen-yan",
};

test.each([
  [true, done({ roleId: "shen-yan" }), sample, "你好"],
  [true, done({ voicePath: "/files/a" }), own, "你好"],
  [false, done({ roleId: "shen-yan" }), sample, "你好。"],
  [false, done({ roleId: "lin-xiaoman" }), sample, "你好"],
  [false, done({ voicePath: "/files/b" }), own, "你好"],
  [false, done({}), { ...own, references: { ...none, record: reference("good") } }, "你好"],
  [false, { phase: "idle" } as const, sample, "你好"],
])("isResultOf returns %s for case %#", (is, trial, voice, text) => {
  expect(isResultOf(trial, voice, text)).toBe(is);
});
