import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { humans } from "~server/upstream/db/seed/seed";
import { parsePortrait, randomPortrait } from "./parameters";

const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const parts = fc.infiniteStream(part);

test.each(["female", "male", "unknown"] as const)(
  "every random %s face is one that can be drawn and kept",
  (gender) => {
    fc.assert(
      fc.property(parts, (stream) => {
        const face = randomPortrait(gender, () => stream.next().value);
        expect(parsePortrait(JSON.stringify(face))).toEqual(face);
        if (gender !== "male") expect(face.beard).toBe("none");
      }),
    );
  },
);

test("the next face is another one", () => {
  const faces = Array.from({ length: 20 }, () => JSON.stringify(randomPortrait("female")));
  expect(new Set(faces).size).toBeGreaterThan(15);
});

describe("parsePortrait", () => {
  test("draws every seeded human exactly as given", () => {
    for (const human of humans) {
      expect(parsePortrait(human.portrait)).toEqual({ accessories: [], beard: "none", ...human.portrait });
    }
  });

  test("reads the JSON text of a face too", () => {
    expect(parsePortrait(JSON.stringify(humans[0]?.portrait))).toEqual(parsePortrait(humans[0]?.portrait));
  });

  test("replaces values it does not know and drops unknown accessories", () => {
    const face = parsePortrait({ hair: "bob", skin: "green", lines: 9, accessories: ["scarf", "sword", 3] });
    expect(face).toMatchObject({ hair: "bob", skin: "porcelain", lines: 0, accessories: ["scarf"] });
  });

  test.each([null, undefined, "", "not json", "[]", 7, [], {}, { hair: "mohawk" }])("has no face in %j", (value) => {
    expect(parsePortrait(value)).toBeNull();
  });
});

describe("the seeded humans", () => {
  test("have ids, names and faces of their own", () => {
    const faces = humans.map((human) => JSON.stringify(human.portrait));
    expect(new Set(humans.map((human) => human.id)).size).toBe(humans.length);
    expect(new Set(humans.map((human) => human.name)).size).toBe(humans.length);
    expect(new Set(faces).size).toBe(humans.length);
  });

  test("say between 15 and 40 characters", () => {
    for (const { preview } of humans) expect([...preview].length, preview).toSatisfy((n: number) => n >= 15 && n <= 40);
  });

  test("have voices that can be told apart", () => {
    const apart = (a: (typeof humans)[number]["design"], b: (typeof humans)[number]["design"]) =>
      Math.abs(12 * Math.log2(a.pitchHz / b.pitchHz)) / 2 +
      Math.abs(a.tract - b.tract) / 0.04 +
      Math.abs(a.breath - b.breath) / 0.2 +
      Math.abs(a.tilt - b.tilt) / 2 +
      Math.abs(a.rate - b.rate) / 0.1;
    for (const [index, one] of humans.entries()) {
      for (const other of humans.slice(index + 1)) {
        expect(apart(one.design, other.design), `${one.name} ${other.name}`).toBeGreaterThan(1.5);
      }
    }
  });
});
