import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findScriptExcess } from "./length-limits";
import { charactersFree, charactersVip, scriptCharactersMax } from "./limits";

const lines = fc.array(fc.integer({ min: 1, max: 2 * charactersVip }), { minLength: 1, maxLength: 200 });
const totalOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

describe("the size of a script", () => {
  it("is limited for members per line and in total", () => {
    fc.assert(
      fc.property(lines, (counts) => {
        const excess = findScriptExcess(counts, { tier: "vip", limit: charactersVip });
        const isOver = counts.some((count) => count > charactersVip) || totalOf(counts) > scriptCharactersMax;
        expect(excess !== null).toBe(isOver);
        if (excess?.line != null) expect(counts[excess.line]).toBe(excess.need);
      }),
    );
  });

  it("is limited in total to one generation for a trial", () => {
    fc.assert(
      fc.property(lines, (counts) => {
        const excess = findScriptExcess(counts, { tier: null, limit: charactersFree });
        expect(excess !== null).toBe(totalOf(counts) > charactersFree);
        expect(excess?.line ?? null).toBeNull();
      }),
    );
  });
});
