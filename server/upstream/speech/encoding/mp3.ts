import { createMp3Encoder } from "wasm-media-encoders";

/** Rates MPEG layer III knows; others are resampled by the encoder to the nearest above. */
const knownRates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;
/** About one second at a time keeps the encoder's own buffers small. */
const blockSamples = 32_768;

let ready: ReturnType<typeof createMp3Encoder> | undefined;

/**
 * MP3, mono, constant bit rate: 64 kbit/s up to 24 kHz (speech is transparent there), 96 above.
 * The encoder is one per process; every call runs to its end without a pause, so calls don't mix.
 */
export async function encodeMp3(pcm: Int16Array, sampleRate: number): Promise<Uint8Array<ArrayBuffer>> {
  ready ??= createMp3Encoder();
  const encoder = await ready;
  const outputSampleRate = knownRates.find((rate) => rate >= sampleRate) ?? 48000;
  encoder.configure({ sampleRate, channels: 1, bitrate: outputSampleRate > 24000 ? 96 : 64, outputSampleRate });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < pcm.length; at += blockSamples) {
    const block = Float32Array.from(pcm.subarray(at, at + blockSamples), (sample) => sample / 32768);
    parts.push(encoder.encode([block]).slice());
  }
  parts.push(encoder.finalize().slice());
  return joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
