import createRnnoise from "@jitsi/rnnoise-wasm/dist/rnnoise.js";
import wasmUrl from "@jitsi/rnnoise-wasm/dist/rnnoise.wasm?url";

/** RNNoise hears frames of 10 ms at 48 kHz, with the values of 16-bit samples. */
const frameSize = 480;
const bytesPerSample = 4;
const fullScale = 32_768;

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

type Rnnoise = Awaited<ReturnType<typeof createRnnoise>>;

function denoise(rnnoise: Rnnoise, samples: Float32Array): Float32Array {
  const cleaned = new Float32Array(samples.length);
  const state = rnnoise._rnnoise_create();
  const address = rnnoise._malloc(frameSize * bytesPerSample);
  const at = address / bytesPerSample;
  for (let start = 0; start < samples.length; start += frameSize) {
    const frame = new Float32Array(frameSize);
    frame.set(samples.subarray(start, start + frameSize));
    rnnoise.HEAPF32.set(
      frame.map((value) => value * fullScale),
      at,
    );
    rnnoise._rnnoise_process_frame(state, address, address);
    const spoken = rnnoise.HEAPF32.slice(at, at + Math.min(frameSize, samples.length - start));
    cleaned.set(
      spoken.map((value) => Math.max(-1, Math.min(1, value / fullScale))),
      start,
    );
  }
  rnnoise._rnnoise_destroy(state);
  return cleaned;
}
