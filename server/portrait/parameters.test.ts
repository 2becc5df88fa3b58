import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { humans } from "~server/upstream/db/seed/seed";
import { accessories, choices, parsePortrait, toPortraitCode } from "./parameters";
import { facesForVoice, genderOfPitch, randomPortrait } from "./random-portrait";

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

test.each(["female", "male", "unknown"] as const)("every random %s face is of one age", (gender) => {
  fc.assert(
    fc.property(parts, (stream) => {
      const { lines, hair, hairColor, collar, accessories } = randomPortrait(gender, () => stream.next().value);
      expect(["grey", "silver"].includes(hairColor)).toBe(lines === 2);
      if (lines === 0) return;
      expect(["twin-buns", "ponytail", "curtain", "topknot"]).not.toContain(hair);
      expect(collar).not.toBe("hood");
      if (lines === 2) expect(accessories).not.toContain("headphones");
    }),
  );
});

test.each([
  [undefined, "unknown"],
  [110, "male"],
  [210, "female"],
  [300, "unknown"],
] as const)("a median pitch of %s Hz says %s", (pitchHz, gender) => {
  expect(genderOfPitch(pitchHz)).toBe(gender);
});

test("faces for a voice are the same for the same request, and fit gender and pitch", () => {
  const voice = { gender: "unknown", pitchHz: 110, seed: "1", count: 6 } as const;
  expect(facesForVoice(voice)).toEqual(facesForVoice(voice));
  expect(facesForVoice({ ...voice, pitchHz: 124 })).toEqual(facesForVoice(voice));
  expect(facesForVoice(voice)).not.toEqual(facesForVoice({ ...voice, seed: "2" }));
  for (const face of facesForVoice({ ...voice, pitchHz: 300 })) expect(face).toMatchObject({ face: "child", lines: 0 });
  for (const face of facesForVoice({ ...voice, pitchHz: 220, count: 40 })) expect(face.beard).toBe("none");
  expect(facesForVoice({ ...voice, count: 40 }).some(({ beard }) => beard !== "none")).toBe(true);
});

describe("parsePortrait", () => {
  test("returns the face of every seeded digital human unchanged", () => {
    for (const human of humans) {
      expect(parsePortrait(human.portrait)).toEqual({ accessories: [], beard: "none", ...human.portrait });
    }
  });

  test("parses a face given as JSON text", () => {
    expect(parsePortrait(JSON.stringify(humans[0]?.portrait))).toEqual(parsePortrait(humans[0]?.portrait));
  });

  test("replaces unknown values by defaults and drops unknown accessories", () => {
    const face = parsePortrait({ hair: "bob", skin: "green", lines: 9, accessories: ["scarf", "sword", 3] });
    expect(face).toMatchObject({ hair: "bob", skin: "porcelain", lines: 0, accessories: ["scarf"] });
  });

  test.each([null, undefined, "", "not json", "[]", 7, [], {}, { hair: "mohawk" }])("returns null for %j", (value) => {
    expect(parsePortrait(value)).toBeNull();
  });
});

describe("the seeded digital humans", () => {
  test("have unique ids, names and faces", () => {
    const faces = humans.map((human) => JSON.stringify(human.portrait));
    expect(new Set(humans.map((human) => human.id)).size).toBe(humans.length);
    expect(new Set(humans.map((human) => human.name)).size).toBe(humans.length);
    expect(new Set(faces).size).toBe(humans.length);
  });

  test("have sample texts of 15 to 40 characters", () => {
    for (const { preview } of humans) expect([...preview].length, preview).toSatisfy((n: number) => n >= 15 && n <= 40);
  });

  test("have distinguishable voices", () => {
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

describe("portrait codes", () => {
  test.each(["female", "male", "unknown"] as const)("carry every random %s face", (gender) => {
    fc.assert(
      fc.property(parts, (stream) => {
        const face = randomPortrait(gender, () => stream.next().value);
        expect(parsePortrait(toPortraitCode(face))).toEqual(face);
      }),
    );
  });

  test("carry a face that wears everything in at most 16 characters", () => {
    const face = { ...parsePortrait(humans[0]?.portrait), accessories: [...accessories] };
    const code = toPortraitCode(face);
    expect(code?.length).toBeLessThanOrEqual(16);
    expect(parsePortrait(code)).toEqual(face);
  });

  test("mean the same as on the day they were first sent: browsers keep their pictures for a year", () => {
    expect(
      toPortraitCode({ hair: "curls", beard: "long", background: "dusk", accessories: ["whistle"], lines: 2 }),
    ).toBe("00g000400521kw");
    expect(Object.keys(choices)).toEqual("skin face hair hairColor brows eyes beard coat collar background".split(" "));
  });

  test.each([null, "", {}, { hair: "mohawk" }])("are null for %j, which is no face", (value) => {
    expect(toPortraitCode(value)).toBeNull();
  });

  test("with places that no list has read as defaults or as no face", () => {
    expect(parsePortrait("zz0zzzzzzzzz")).toMatchObject({ hair: "side-part", skin: "porcelain", lines: 0 });
    expect(parsePortrait("00z000000000")).toBeNull();
  });
});
