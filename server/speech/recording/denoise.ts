import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { denoise, denoiseRate } from "~server/contract/recording/denoise";
import { toPcm } from "../dsp/pcm";
import { resample } from "../dsp/resample";
import { decodeRecording } from "./decode";
import { encodeWav } from "./formats/wav";

/** A recording without its noise, as WAV. Throws like `decodeRecording`. */
export async function denoiseRecording(bytes: Uint8Array): Promise<Uint8Array> {
  const { samples, sampleRate } = await decodeRecording(bytes);
  const { default: createRnnoise } = await import("@jitsi/rnnoise-wasm/dist/rnnoise.js");
  const wasmPath = createRequire(import.meta.url).resolve("@jitsi/rnnoise-wasm/dist/rnnoise.wasm");
  const rnnoise = await createRnnoise({ wasmBinary: await readFile(wasmPath) });
  return encodeWav(toPcm(denoise(rnnoise, resample(samples, sampleRate, denoiseRate))), denoiseRate);
}
