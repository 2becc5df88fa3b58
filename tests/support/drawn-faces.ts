import sharp from "sharp";
import { portraitSvg } from "~server/portrait/drawing";
import { faceShapes } from "~server/portrait/moving-parts";
import { type PortraitParameters, parsePortrait } from "~server/portrait/parameters";
import type { PhotoFace, PictureRegion } from "~server/portrait/photo-face";
import type { Pixels } from "~server/portrait/photo-patch";
import { createRandom, restPose } from "~server/portrait/pose";
import { randomPortrait } from "~server/portrait/random-portrait";
import { humans } from "~server/upstream/db/seed/seed";

/** A drawn face as a photo would show it, with the places that a finder should name. */
export interface DrawnFace {
  picture: Pixels;
  face: PhotoFace;
}

/** Faces of several framings, light and blur, the seeded people first; every fourth speaks. */
export async function drawFaces(count: number): Promise<DrawnFace[]> {
  const faces: DrawnFace[] = [];
  for (let index = 0; index < count; index++) {
    const random = createRandom(`drawn face ${index}`);
    const portrait = parsePortrait(humans[index]?.portrait) ?? randomPortrait("unknown", random);
    faces.push(await drawFace(portrait, { random, speaks: index % 4 === 3 }));
  }
  return faces;
}

async function drawFace(portrait: PortraitParameters, how: { random: () => number; speaks: boolean }) {
  const { random, speaks } = how;
  // A window of the drawing, 5:4; the ground reaches beyond the 200-unit square.
  const wide = 150 + 100 * random();
  const frame = { x: 100 - wide / 2 + 20 * (random() - 0.5), y: 105 - 0.45 * wide + 12 * (random() - 0.5), wide };
  const pose = { ...restPose, mouth: { weights: speaks ? { open: 0.7 } : {}, closure: 0, size: 1 } };
  const tall = 0.8 * wide;
  const svg = portraitSvg(portrait, { detail: "large", pose, viewBox: `${frame.x} ${frame.y} ${wide} ${tall}` });
  const [width, height] = [500, 400];
  const image = sharp(Buffer.from(svg), { density: 180 })
    .resize(width, height, { fit: "fill" })
    .flatten({ background: "#ddd" })
    .modulate({ brightness: 0.7 + 0.5 * random(), saturation: 0.7 + 0.5 * random() })
    .blur(0.4 + 1.6 * random());
  const data = await image.ensureAlpha().raw().toBuffer();
  const region = (x: number, y: number, across: number, down: number): PictureRegion => ({
    x: (x - frame.x) / wide,
    y: (y - frame.y) / tall,
    width: across / wide,
    height: down / tall,
  });
  const { eyes, mouth } = faceShapes[portrait.face];
  const eye = (side: number) => region(100 + side * eyes.apart, eyes.y, 20 * eyes.size, 12 * eyes.size);
  const face = { mouth: region(100, mouth.y + 1, 19.6 * mouth.size, 8 * mouth.size), eyes: [eye(-1), eye(1)] };
  return { picture: { width, height, data }, face };
}
