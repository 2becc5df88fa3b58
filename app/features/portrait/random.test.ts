import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePortrait, randomPortrait } from "./parameters";

const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const parts = fc.infiniteStream(part);

test.each(["female", "male", "unknown"] as const)("every random %s face is valid", (gender) => {
  fc.assert(
    fc.property(parts, (stream) => {
      const face = randomPortrait(gender, () => stream.next().value);
      expect(parsePortrait(JSON.stringify(face))).toEqual(face);
      if (gender !== "male") expect(face.beard).toBe("none");
    }),
  );
});

test("consecutive random faces differ", () => {
  const faces = Array.from({ length: 20 }, () => JSON.stringify(randomPortrait("female")));
  expect(new Set(faces).size).toBeGreaterThan(15);
});
