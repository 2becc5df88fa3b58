import { expect, test } from "vitest";
import { drawFaces, isHit } from "../../tests/support/drawn-faces";
import { findPhotoFace } from "./find-face";
import { createRandom } from "./pose";

test("names the mouth and the eyes of most drawn faces", async () => {
  const faces = await drawFaces(20);
  const found = faces.map(({ picture, face }) => {
    const one = findPhotoFace(picture);
    const eyes = face.eyes.filter((eye, index) => isHit(one?.eyes[index], eye));
    return { mouth: isHit(one?.mouth, face.mouth), eyes: eyes.length === 2 };
  });
  expect(found.filter(({ mouth }) => mouth).length).toBeGreaterThanOrEqual(17);
  expect(found.filter(({ eyes }) => eyes).length).toBeGreaterThanOrEqual(16);
}, 60_000);

const fill = (colorAt: (place: number) => readonly [number, number, number]) => {
  const data = new Uint8ClampedArray(200 * 160 * 4);
  for (let place = 0; place < 200 * 160; place++) data.set([...colorAt(place), 255], 4 * place);
  return { width: 200, height: 160, data };
};
const random = createRandom("noise");
const any = () => 255 * random();

test.each([
  ["noise", fill(() => [any(), any(), any()])],
  ["plain skin", fill(() => [224, 176, 150])],
  ["a lawn", fill((place) => [60 + (place % 7) * 4, 130 + (place % 11) * 5, 50])],
  ["a picture of one pixel", { width: 1, height: 1, data: new Uint8ClampedArray([224, 176, 150, 255]) }],
])("finds no face in %s", (_name, picture) => {
  expect(findPhotoFace(picture)).toBeNull();
});
