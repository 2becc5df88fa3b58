import createRnnoise from "@jitsi/rnnoise-wasm/dist/rnnoise.js";
import wasmUrl from "@jitsi/rnnoise-wasm/dist/rnnoise.wasm?url";
import { denoise } from "~server/contract/recording/denoise";

/** Takes mono samples at 48 kHz and answers them without noise; null where the module does not load. */
self.onmessage = async ({ data: samples }: MessageEvent<Float32Array>) => {
  const cleaned = await createRnnoise({ locateFile: () => wasmUrl })
    .then((rnnoise) => denoise(rnnoise, samples))
    .catch((error: unknown) => {
      console.error(error);
      return null;
    });
  self.postMessage(cleaned);
};
