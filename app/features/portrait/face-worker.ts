import { Human } from "@vladmandic/human";
import type { FacePoint } from "~server/portrait/photo-face";
import type { Pixels } from "~server/portrait/photo-patch";
import { type FoundFace, judgeFaces, type PhotoFinding, placeOf } from "./photo-finding";

export interface FaceRequest {
  picture: Pixels & { data: Uint8ClampedArray };
  /** Address of the folder with the models. */
  models: string;
}

const off = { enabled: false };

/** Only the two models of faces; computed without WebGL, so that every browser finds the same points. */
async function createFinder(models: string): Promise<Human> {
  const human = new Human({
    backend: "cpu",
    modelBasePath: models,
    cacheModels: false,
    cacheSensitivity: 0,
    debug: false,
    filter: off,
    gesture: off,
    ...{ body: off, hand: off, object: off, segmentation: off },
    face: {
      enabled: true,
      detector: { rotation: true, maxDetected: 6, minConfidence: 0.4, skipFrames: 0, skipTime: 0 },
      mesh: { enabled: true },
      ...{ iris: off, description: off, emotion: off, antispoof: off, liveness: off },
    },
  });
  await human.init();
  return human;
}

let finder: Promise<Human> | undefined;

/** The page asks once per photo. */
self.onmessage = async ({ data: { picture, models } }: MessageEvent<FaceRequest>) => {
  finder ??= createFinder(models);
  const finding = await finder
    .then((human) => find(human, picture))
    .catch((error): PhotoFinding => {
      console.error(error);
      return { kind: "failed" };
    });
  self.postMessage(finding);
};

async function find(human: Human, picture: FaceRequest["picture"]): Promise<PhotoFinding> {
  const [largest, ...others] = await findFaces(human, { picture, x: 0, y: 0 }, picture);
  if (!largest) return judgeFaces(picture, []);
  // The mesh is exact only where the face fills its square: found again in a cut around it.
  const [again] = await findFaces(human, cutAround(picture, largest), picture);
  const face = again ?? largest;
  return { ...judgeFaces(picture, [face, ...others]), place: placeOf(face) };
}

/** Longest side that is searched: the library rounds points to pixels, so small cuts are enlarged. */
const searchedPx = 640;

interface Cut extends FacePoint {
  picture: FaceRequest["picture"];
}

/** The faces of a cut of the picture, the largest first. */
async function findFaces(human: Human, { picture: cut, x, y }: Cut, whole: Pixels): Promise<FoundFace[]> {
  const { tf } = human;
  const scale = searchedPx / Math.max(cut.width, cut.height);
  const size: [number, number] = [Math.round(cut.height * scale), Math.round(cut.width * scale)];
  const tensor = tf.tidy(() =>
    tf.image.resizeBilinear(
      tf.browser.fromPixels(new ImageData(new Uint8ClampedArray(cut.data), cut.width, cut.height)),
      size,
    ),
  );
  const { face, error } = await human.detect(tensor);
  tf.dispose(tensor);
  if (error) throw new Error(error);
  const faces = face.map(({ mesh }) => {
    const points = mesh.map((point) => ({
      x: (x + point[0] / scale) / whole.width,
      y: (y + point[1] / scale) / whole.height,
    }));
    const xs = points.map((point) => point.x);
    return { points, width: Math.max(...xs) - Math.min(...xs) };
  });
  return faces.sort((a, b) => b.width - a.width);
}

/** Of the face's width, on each side. */
const margin = 0.45;

function cutAround(picture: FaceRequest["picture"], { points }: FoundFace): Cut {
  const [xs, ys] = [points.map(({ x }) => x * picture.width), points.map(({ y }) => y * picture.height)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = margin * Math.max(right - left, bottom - top);
  const [x, y] = [Math.max(0, Math.floor(left - room)), Math.max(0, Math.floor(top - room))];
  const width = Math.max(1, Math.min(picture.width, Math.ceil(right + room)) - x);
  const height = Math.max(1, Math.min(picture.height, Math.ceil(bottom + room)) - y);
  const data = new Uint8ClampedArray(4 * width * height);
  for (let row = 0; row < height; row++) {
    const start = 4 * ((y + row) * picture.width + x);
    data.set(picture.data.subarray(start, start + 4 * width), 4 * row * width);
  }
  return { x, y, picture: { width, height, data } };
}
