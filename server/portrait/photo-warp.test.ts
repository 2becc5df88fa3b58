import { describe, expect, test } from "vitest";
import { type PhotoFace, parsePhotoFace, toPhotoPortrait } from "./parameters";
import { createPhotoWarp, type Patch, type Pixels } from "./photo-warp";
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

  test("opens between the lips, and moves the chin down but not the nose or the ears", () => {
    const [patch] = warp(speaking({ open: 1 }));
    if (!patch) throw new Error("nothing drawn");
    expect(Math.max(...at(patch, 100, 131).slice(0, 3))).toBeLessThan(150);
    const [red, green] = at(patch, 100, 131);
    expect(red).toBeGreaterThan(green ?? 255);
    const [chin] = at(patch, 100, 145);
    expect(chin).toBeLessThan(60 + Math.floor((145 / 200) * 180) - 4);
    expect(at(patch, 100, patch.y + 1)[0]).toBeCloseTo(60 + ((patch.y + 1) / 200) * 180, -1);
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

  test("covers both eyes with the skin above them when it blinks", () => {
    const [left, right, ...rest] = warp({ ...restPose, blink: 1 });
    expect(rest).toEqual([]);
    expect(at(left as Patch, 70, 70)[0]).toBeLessThan(60 + Math.floor((70 / 200) * 180) - 2);
    expect((right as Patch).x - (left as Patch).x).toBe(60);
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

describe("a confirmed face", () => {
  test("is read back as it was written", () => {
    expect(parsePhotoFace(JSON.parse(JSON.stringify(toPhotoPortrait(face))))).toEqual(face);
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
