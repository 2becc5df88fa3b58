import { createMp3Encoder } from "wasm-media-encoders";
import { infoFrame } from "./mp3-info";

/** Rates MPEG layer III knows; others are resampled by the encoder to the nearest above. */
const knownRates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;
/** About one second at a time keeps the encoder's own buffers small. */
const blockSamples = 32_768;

let ready: ReturnType<typeof createMp3Encoder> | undefined;

/**
 * MP3, mono, constant bit rate: 64 kbit/s up to 24 kHz (speech is transparent there), 96 above.
 * Players start with the first sample and stop with the last, so that a timeline fits: see `infoFrame`.
 * The encoder is one per process; every call runs to its end without a pause, so calls don't mix.
 */
export async function encodeMp3(pcm: Int16Array, sampleRate: number): Promise<Uint8Array<ArrayBuffer>> {
  ready ??= createMp3Encoder();
  const encoder = await ready;
  const outputSampleRate = knownRates.find((rate) => rate >= sampleRate) ?? 48000;
  encoder.configure({ sampleRate, channels: 1, bitrate: outputSampleRate > 24000 ? 96 : 64, outputSampleRate });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < pcm.length; at += blockSamples) {
    const block = new Float32Array(Math.min(blockSamples, pcm.length - at));
    for (let i = 0; i < block.length; i++) block[i] = (pcm[at + i] as number) / 32768;
    parts.push(encoder.encode([block]).slice());
  }
  parts.push(encoder.finalize().slice());
  const audio = joined(parts);
  return joined([infoFrame(audio, Math.round((pcm.length * outputSampleRate) / sampleRate)), audio]);
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
