import fc from "fast-check";
import { expect, test } from "vitest";
import type { Voice } from "~server/bff/roles.server";
import { type KeptVoice, mergeKept, parseKept } from "./kept-voices";

const voiceOf = (roleId: string, name = roleId) => ({ roleId, name }) as Voice;
const kept = fc.uniqueArray(
  fc.record({
    voice: fc.integer({ min: 0, max: 20 }).map((id) => voiceOf(`r${id}`)),
    usedAt: fc.integer({ min: 0, max: 50 }),
    isStarred: fc.boolean(),
    starChangedAt: fc.integer({ min: 0, max: 50 }),
  }),
  { selector: ({ voice }) => voice.roleId, maxLength: 20 },
);

test("the later star and the later use win, on both devices", () => {
  const desktop: KeptVoice[] = [{ voice: voiceOf("a", "新名"), usedAt: 9, isStarred: true, starChangedAt: 3 }];
  const phone: KeptVoice[] = [{ voice: voiceOf("a", "旧名"), usedAt: 5, isStarred: false, starChangedAt: 7 }];
  const merged = [{ voice: voiceOf("a", "新名"), usedAt: 9, isStarred: false, starChangedAt: 7 }];
  expect(mergeKept(desktop, phone)).toEqual(merged);
  expect(mergeKept(phone, desktop)).toEqual(merged);
});

test("a merge keeps every star and at most twelve others, the last used first, and is the same again", () => {
  fc.assert(
    fc.property(kept, kept, (own, other) => {
      const merged = mergeKept(own, other);
      expect(merged.filter(({ isStarred }) => !isStarred).length).toBeLessThanOrEqual(12);
      const times = merged.map(({ usedAt }) => usedAt);
      expect(times).toEqual([...times].sort((a, b) => b - a));
      expect(mergeKept(merged, [])).toEqual(merged);
      expect(new Set(merged.map(({ voice }) => voice.roleId)).size).toBe(merged.length);
    }),
  );
});

test("what is no kept voice is left out", () => {
  fc.assert(fc.property(fc.anything(), (json) => void parseKept(json)));
  expect(parseKept([{ voice: { roleId: "a" } }, null, { voice: voiceOf("a"), usedAt: 1 }])).toEqual([]);
});
