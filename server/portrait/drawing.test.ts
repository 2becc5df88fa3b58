import { describe, expect, test } from "vitest";
import { humans } from "~server/upstream/db/seed/seed";
import { createPersonDrawing, drawPortrait, portraitSvg } from "./drawing";
import { poseParts } from "./moving-parts";
import { accessories, choices, type PortraitParameters, parsePortrait } from "./parameters";
import { type MouthShape, nearestMouth, restPose } from "./pose";

const faces = humans.map((human) => {
  const portrait = parsePortrait(human.portrait);
  if (!portrait) throw new Error(`${human.name} has no face`);
  return portrait;
});
const [someone] = faces as [PortraitParameters];
const shapes: MouthShape[] = ["rest", "pressed", "bite", "narrow", "wide", "open", "round", "pucker"];
const saying = (shape: MouthShape) => ({ ...restPose, mouth: { weights: { [shape]: 1 }, closure: 0, size: 1 } });

describe("a portrait", () => {
  test("of every seeded digital human is another one, in at most 20 kB, and less for small sizes", () => {
    const drawings = faces.map((portrait) => portraitSvg(portrait, { detail: "large" }));
    expect(new Set(drawings).size).toBe(humans.length);
    for (const [index, portrait] of faces.entries()) {
      const small = portraitSvg(portrait, { detail: "small" }).length;
      expect(drawings[index]?.length).toBeLessThan(20_000);
      expect(small).toBeLessThan(0.75 * (drawings[index]?.length ?? 0));
    }
  });

  test("is the same string for the same parameters and pose", () => {
    for (const portrait of faces)
      expect(drawPortrait(portrait, saying("open"), "large")).toBe(drawPortrait(portrait, saying("open"), "large"));
  });

  test("is well-formed with every choice and every accessory, in both details", () => {
    const variants = Object.entries(choices).flatMap(([key, values]) =>
      values.map((value) => ({ ...someone, [key]: value }) as PortraitParameters),
    );
    for (const portrait of [...variants, { ...someone, accessories: [...accessories], lines: 2 as const }]) {
      for (const detail of ["small", "large"] as const) {
        const svg = portraitSvg(portrait, { detail, mode: "dark" });
        expect(svg).not.toMatch(/NaN|undefined|style=/);
        expect(svg.match(/<g[ >]/g)?.length).toBe(svg.match(/<\/g>/g)?.length);
      }
    }
  });

  test("draws eight different mouths, each named, and shut eyes during a blink", () => {
    const draw = createPersonDrawing(someone, "small");
    const mouths = shapes.map((shape) => draw(saying(shape)));
    expect(new Set(mouths).size).toBe(8);
    for (const [index, shape] of shapes.entries()) expect(mouths[index]).toContain(`data-mouth="${shape}"`);
    expect(draw({ ...restPose, blink: 1 })).not.toBe(draw(restPose));
  });
});

test("shapes with one paint need no separate layer", () => {
  const layers = faces.flatMap((portrait) =>
    createPersonDrawing(portrait, "large")(restPose).match(/<path[^>]* opacity=[^>]*>/g),
  );
  for (const shape of layers) expect(shape ?? ' fill="" stroke=""').toMatch(/ fill="(?!none).* stroke="(?!none)/);
});

test("every moving part of a pose has an element in the drawing", () => {
  for (const portrait of faces) {
    const svg = portraitSvg(portrait, { detail: "large" });
    for (const name of Object.keys(poseParts(portrait, restPose))) expect(svg, name).toContain(`data-part="${name}"`);
  }
});

test("the nearest mouth is the strongest weight, rest for missing weights, pressed while the lips are held together", () => {
  expect(nearestMouth({ weights: { open: 0.6, round: 0.4 }, closure: 0, size: 1 })).toBe("open");
  expect(nearestMouth({ weights: { open: 0.3 }, closure: 0, size: 1 })).toBe("rest");
  expect(nearestMouth({ weights: { open: 1 }, closure: 0.8, size: 1 })).toBe("pressed");
});
