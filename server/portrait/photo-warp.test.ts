import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { foundFaces, readPortrait } from "../../tests/support/portraits";
import { cropFace, movePart, toRegions } from "./face-edits";
import { getFacePoints, type PhotoFace, parsePhotoFace, toPhotoPortrait } from "./photo-face";
import type { Patch, Pixels } from "./photo-patch";
import { createPhotoWarp } from "./photo-warp";
import { type Pose, restPose } from "./pose";

const face: PhotoFace = {
  mouth: { x: 0.5, y: 0.6, width: 0.2, height: 0.08 },
  eyes: [
    { x: 0.35, y: 0.35, width: 0.14, height: 0.08 },
    { x: 0.65, y: 0.35, width: 0.14, height: 0.08 },
  ],
};

/** Brightness grows downward, so that a pixel tells which row it came from. */
function ramp(width = 200, height = 200): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let place = 0; place < width * height; place++) {
    const value = 60 + Math.floor((place / width / height) * 180);
    data.set([value, value, value, 255], 4 * place);
  }
  return { width, height, data };
}

const speaking = (weights: Pose["mouth"]["weights"], closure = 0): Pose => ({
  ...restPose,
  mouth: { weights, closure, size: 1 },
});

const at = (patch: Patch, x: number, y: number) => {
  const place = 4 * ((y - patch.y) * patch.width + (x - patch.x));
  return [...patch.data.slice(place, place + 4)];
};

describe("a photo that speaks", () => {
  const warp = createPhotoWarp(ramp(), face);

  test("changes nothing while its mouth rests", () => {
    expect(warp(restPose)).toEqual([]);
  });

  test("whose lips were not found moves the lower one and the chin, but not the nose or the ears", () => {
    const [patch] = warp(speaking({ open: 1 }));
    if (!patch) throw new Error("nothing drawn");
    // Between the lips their line is drawn longer; nothing else is.
    expect(at(patch, 100, 122)[0]).toBe(60 + Math.floor((120 / 200) * 180));
    const [chin] = at(patch, 100, 145);
    expect(chin).toBeLessThan(60 + Math.floor((145 / 200) * 180) - 1);
    expect(at(patch, 100, patch.y + 1)[3]).toBe(0);
  });

  test("keeps its lips together on p, b and m beside any sound", () => {
    const [patch] = warp(speaking({ open: 1 }, 1));
    if (!patch) return;
    const [red, green, blue] = at(patch, 100, 121);
    expect(red).toBe(green);
    expect(green).toBe(blue);
  });

  test("fades into the photo at the edges of the drawn parts", () => {
    const [patch] = warp(speaking({ open: 1 }));
    if (!patch) throw new Error("nothing drawn");
    const edge = [0, patch.width - 1].flatMap((x) => [0, 60].map((y) => at(patch, patch.x + x, patch.y + y)[3]));
    expect(Math.max(...edge.map((alpha) => alpha ?? 255))).toBeLessThan(20);
    expect(at(patch, 100, 125)[3]).toBe(255);
  });

  test("does not blink where its lids were not found", () => {
    expect(warp({ ...restPose, blink: 1 })).toEqual([]);
  });

  test("gives the same pixels for the same pose", () => {
    expect(createPhotoWarp(ramp(), face)(speaking({ wide: 0.6 }))).toEqual(warp(speaking({ wide: 0.6 })));
  });

  test("stays inside a picture whose mouth is at its edge", () => {
    const low = { ...face, mouth: { x: 0.12, y: 0.95, width: 0.2, height: 0.08 } };
    const [patch] = createPhotoWarp(ramp(), low)(speaking({ open: 1 }));
    expect([patch?.x, (patch?.y ?? 0) + (patch?.height ?? 0)]).toEqual([0, 200]);
  });
});

describe("a photo of a person", async () => {
  const read = async (name: keyof typeof foundFaces): Promise<Pixels> => {
    const { data, info } = await sharp(await readPortrait(name))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  };
  const [smile, closed] = [await read("carson"), await read("hopper")];
  const light = (data: ArrayLike<number>) => 0.3 * (data[0] ?? 0) + 0.59 * (data[1] ?? 0) + 0.11 * (data[2] ?? 0);
  const lightOf = ({ width, data }: Pixels, x: number, y: number) => light(data.slice(4 * (y * width + x)));
  /** Rows between the lips in the middle of the mouth, and their column. */
  const middleOf = ({ width, height }: Pixels, one: PhotoFace) => {
    const { upperInner, lowerInner } = getFacePoints(one).lips;
    const [above, below] = [upperInner[5], lowerInner[5]];
    if (!above || !below) throw new Error("no lips");
    return { x: Math.round(above.x * width), top: above.y * height, bottom: below.y * height };
  };

  test("that smiles keeps its teeth where they are, and shows no second row below them", () => {
    const [patch] = createPhotoWarp(smile, foundFaces.carson)(speaking({ open: 1 }));
    if (!patch) throw new Error("nothing drawn");
    const { x, top, bottom } = middleOf(smile, foundFaces.carson);
    const teeth: number[] = [];
    for (let y = Math.ceil(top) + 1; y < top + 0.6 * (bottom - top); y++) {
      expect(Math.abs(light(at(patch, x, y)) - lightOf(smile, x, y))).toBeLessThan(12);
      teeth.push(lightOf(smile, x, y));
    }
    const below = [1, 2].map((row) => light(at(patch, x, Math.ceil(bottom) + row)));
    expect(Math.max(...below)).toBeLessThan(0.5 * Math.max(...teeth));
  });

  test("that smiles closes its lips on p, b and m", () => {
    const [patch] = createPhotoWarp(smile, foundFaces.carson)(speaking({}, 1));
    if (!patch) throw new Error("nothing drawn");
    const { x, top, bottom } = middleOf(smile, foundFaces.carson);
    const shown = light(at(patch, x, Math.round((top + bottom) / 2)));
    expect(Math.abs(shown - lightOf(smile, x, Math.round((top + bottom) / 2)))).toBeGreaterThan(20);
  });

  test("whose lips were closed shows a dark mouth between them", () => {
    const [patch] = createPhotoWarp(closed, foundFaces.hopper)(speaking({ open: 1 }));
    if (!patch) throw new Error("nothing drawn");
    const { x, bottom } = middleOf(closed, foundFaces.hopper);
    expect(light(at(patch, x, Math.round(bottom + 10)))).toBeLessThan(
      0.5 * lightOf(closed, x, Math.round(bottom + 10)),
    );
  });

  test.each([
    ["carson", smile],
    ["hopper", closed],
  ] as const)("blinks with its lids alone: the brows of %s stay", (name, picture) => {
    const patches = createPhotoWarp(picture, foundFaces[name])({ ...restPose, blink: 1 });
    expect(patches.length).toBe(2);
    for (const [side, patch] of patches.entries()) {
      const { brow = [], upper = [], lower = [] } = getFacePoints(foundFaces[name]).eyes[side] ?? {};
      for (const { x, y } of brow) {
        const [column, row] = [Math.round(x * picture.width), Math.round(y * picture.height)];
        if (column >= patch.x && column < patch.x + patch.width && row >= patch.y)
          expect(at(patch, column, row)[3]).toBe(0);
      }
      const pupil = { x: upper[4]?.x ?? 0, y: ((upper[4]?.y ?? 0) + (lower[4]?.y ?? 0)) / 2 };
      const [column, row] = [Math.round(pupil.x * picture.width), Math.round(pupil.y * picture.height)];
      expect(at(patch, column, row)[3]).toBeGreaterThan(200);
    }
  });
});

describe("points of a face", () => {
  const found = foundFaces.hopper;

  test("lie where its regions are", () => {
    const { mouth } = toRegions(getFacePoints(found));
    expect(mouth.x).toBeCloseTo(found.mouth.x, 3);
    expect(mouth.width).toBeCloseTo(found.mouth.width, 3);
  });

  test("move with a region that its owner moves, and the others stay", () => {
    const to = { ...found.mouth, x: found.mouth.x + 0.1, width: 2 * found.mouth.width };
    const moved = movePart(found, "mouth", to);
    const [before, after] = [getFacePoints(found), getFacePoints(moved)];
    expect(toRegions(after).mouth.x).toBeCloseTo(to.x, 3);
    expect(toRegions(after).mouth.width).toBeCloseTo(to.width, 3);
    expect(after.eyes).toEqual(before.eyes);
  });

  test("are the same places in a part of the picture", () => {
    const cut = { left: 0.25, top: 0.25, width: 0.5, height: 0.75 };
    const [whole, part] = [getFacePoints(found), getFacePoints(cropFace(found, cut))];
    for (const [index, { x, y }] of whole.lips.upperOuter.entries()) {
      expect(0.25 + 0.5 * (part.lips.upperOuter[index]?.x ?? 0)).toBeCloseTo(x, 3);
      expect(0.25 + 0.75 * (part.lips.upperOuter[index]?.y ?? 0)).toBeCloseTo(y, 3);
    }
  });
});

describe("a confirmed face", () => {
  test("is read back as it was written", () => {
    for (const one of [face, foundFaces.hopper])
      expect(parsePhotoFace(JSON.parse(JSON.stringify(toPhotoPortrait(one))))).toEqual(one);
    expect(parsePhotoFace({ photo: { ...face, points: "short" } })).toEqual(face);
  });

  test.each([
    null,
    "photo",
    { hair: "bob" },
    { photo: {} },
    { photo: { ...face, mouth: { ...face.mouth, x: 0.95 } } },
    { photo: { ...face, mouth: { ...face.mouth, width: 0 } } },
    { photo: { ...face, mouth: { ...face.mouth, y: Number.NaN } } },
    { photo: { ...face, eyes: [{ x: "0.3" }] } },
  ])("is not read out of %j", (value) => {
    expect(parsePhotoFace(value)).toBeNull();
  });
});
