import { expect, test } from "vitest";
import { cropAround, judgeFaces } from "./photo-finding";

const picture = { width: 100, height: 100, data: new Uint8ClampedArray(4 * 100 * 100).fill(180) };

/** A face whose nose is at `noseX` between its edges; nothing tells its eyes from its skin. */
const face = (noseX: number, width = 0.5) => {
  const points = Array.from({ length: 468 }, () => ({ x: 0.5, y: 0.5 }));
  points[1] = { x: noseX, y: 0.5 };
  points[234] = { x: 0.5 - width / 2, y: 0.5 };
  points[454] = { x: 0.5 + width / 2, y: 0.5 };
  return { points, width };
};

test.each([
  ["turned", [face(0.7)]],
  ["covered", [face(0.55)]],
  ["several", [face(0.5), face(0.5, 0.3)]],
  // A face in the background is no second person.
  ["covered", [face(0.5), face(0.5, 0.15)]],
  ["small", [face(0.5, 0.08)]],
  ["none", []],
] as const)("a photo is %s", (kind, faces) => {
  expect(judgeFaces(picture, faces)).toEqual({ kind });
});

test("a photo without light is dark, whether or not a face was found", () => {
  const dark = { ...picture, data: new Uint8ClampedArray(4 * 100 * 100).fill(20) };
  expect(judgeFaces(dark, [])).toEqual({ kind: "dark" });
  expect(judgeFaces(dark, [face(0.5)])).toEqual({ kind: "dark" });
});

test("a crop starts on the face: nearer where it is small, beside it where it is not in the middle, and inside the photo", () => {
  const far = { x: 0.3, y: 0.4, width: 0.06, height: 0.08 };
  const near = cropAround(far, { width: 4000, height: 3000 });
  expect(near.width / near.height).toBeCloseTo(5 / 4);
  expect((far.height * 3000) / near.height).toBeCloseTo(0.45);
  expect(near.x + near.width / 2).toBeCloseTo(0.3 * 4000);
  // A portrait format: the largest crop, moved up to the face.
  const standing = cropAround({ x: 0.5, y: 0.2, width: 0.5, height: 0.3 }, { width: 900, height: 1200 });
  expect(standing).toEqual({ x: 0, y: 0, width: 900, height: 720 });
  // The face fills the photo already.
  expect(cropAround({ x: 0.6, y: 0.5, width: 0.5, height: 0.7 }, { width: 500, height: 400 })).toEqual({
    x: 0,
    y: 0,
    width: 500,
    height: 400,
  });
});
