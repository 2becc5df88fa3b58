import type { FaceRequest } from "./face-worker";
import { readPixels } from "./live-portrait";
import type { PhotoFinding } from "./photo-finding";

const searchedWidthPx = 1000;
/** The library never answers where a model does not load. */
const answerMs = 60_000;

/** Looks for the face of a photo on this device; the library and its models are loaded for it. */
export async function findPhotoFace(src: string, signal: AbortSignal): Promise<PhotoFinding> {
  const picture = await readPixels(src, { width: searchedWidthPx, signal });
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./face-worker.ts", import.meta.url), { type: "module" });
    const finish = (finding: PhotoFinding) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(finding);
    };
    const fail = () => finish({ kind: "failed" });
    const timer = setTimeout(fail, answerMs);
    signal.addEventListener("abort", fail);
    worker.onmessage = ({ data }: MessageEvent<PhotoFinding>) => finish(data);
    worker.onerror = fail;
    const { width, height, data } = picture;
    worker.postMessage({ picture: { width, height, data }, models: import.meta.env.FACE_MODELS } satisfies FaceRequest);
  });
}
