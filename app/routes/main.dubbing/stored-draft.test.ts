import fc from "fast-check";
import { expect, test } from "vitest";
import { createLine } from "./editor/script";
import { parseDraft } from "./stored-draft";

test("parseDraft returns a stored draft unchanged", () => {
  const draft = {
    revision: "a",
    script: {
      title: "清晨",
      lines: [createLine({ roleId: "r", content: "行(xing2)", speed: 1.1, startMs: 5, endMs: 9 })],
    },
    speakers: [{ roleId: "r", name: "沈砚", avatar: "", portrait: null }],
    made: [["k", { dubbId: "d", voiceUrl: "/v", timelineUrl: "", seconds: 1 }]],
    takes: [],
    dubbId: "d",
  };
  expect(parseDraft(structuredClone(draft))).toEqual(draft);
});

test("parseDraft leaves out invalid lines and returns null without valid ones", () => {
  fc.assert(fc.property(fc.anything(), (stored) => void parseDraft(stored)));
  expect(parseDraft({ revision: "a", script: { lines: [] } })).toBeNull();
  expect(
    parseDraft({ revision: "a", script: { lines: [{ id: "1", content: "好", roleId: "" }, 4] } })?.script.lines,
  ).toHaveLength(1);
});
