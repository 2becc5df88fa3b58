import { expect, test } from "vitest";
import { problemOf, wishOf, withFirstSample } from "./readiness";
import type { Voice } from "./use-voice";

const reference = (verdict: "good" | "refused"): NonNullable<Voice["references"]["record"]> => ({
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
  ["too much text", { source: "sample", references: none, roleId: "shen-yan" }, "字".repeat(101), "text"],
] as const)("%s is asked for first", (_case, voice, text, where) => {
  expect(problemOf(voice, text)).toMatchObject({ where });
});

test("a hundred characters are enough, marks cost nothing", () => {
  const voice: Voice = { source: "sample", references: none, roleId: "shen-yan" };
  expect(problemOf(voice, `${"字".repeat(100)}#0.5#`)).toBeNull();
});

test("the first sample is chosen until another one is", () => {
  const voice: Voice = { source: "sample", references: none, roleId: null };
  const other = { ...human, roleId: "lin-xiaoman" };
  expect(withFirstSample(voice, [human, other]).roleId).toBe("shen-yan");
  expect(withFirstSample({ ...voice, roleId: "lin-xiaoman" }, [human, other]).roleId).toBe("lin-xiaoman");
  expect(withFirstSample({ ...voice, roleId: "deleted" }, [human]).roleId).toBe("shen-yan");
  expect(withFirstSample(voice, []).roleId).toBeNull();
});

test("the wish names the voice and carries the one that was chosen", () => {
  const references = { ...none, record: reference("good") };
  expect(wishOf({ source: "sample", references, roleId: "shen-yan" }, "你好", [human])).toEqual({
    content: "你好",
    voiceName: "沈砚",
    roleId: "shen-yan",
  });
  expect(wishOf({ source: "record", references, roleId: "shen-yan" }, "你好", [human])).toMatchObject({
    reference: { transcript: "春天来了" },
  });
});
