import { createMp3Encoder } from "wasm-media-encoders";
import { createFrameCounter, infoFrame } from "./mp3-info";

/** Rates MPEG layer III knows; others are resampled by the encoder to the nearest above. */
const knownRates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;
/** About one second at a time keeps the encoder's own buffers small. */
export const blockSamples = 32_768;

type Encoder = Awaited<ReturnType<typeof createMp3Encoder>>;

let ready: ReturnType<typeof createMp3Encoder> | undefined;

/**
 * MP3, mono, constant bit rate: 64 kbit/s up to 24 kHz (speech is transparent there), 96 above.
 * Players start with the first sample and stop with the last, so that a timeline fits: see `infoFrame`.
 * The encoder is one per process; every call runs to its end without a pause, so calls don't mix.
 */
export async function encodeMp3(pcm: Int16Array, sampleRate: number): Promise<Uint8Array<ArrayBuffer>> {
  ready ??= createMp3Encoder();
  const mp3 = beginMp3(await ready, sampleRate);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < pcm.length; at += blockSamples) parts.push(mp3.add(pcm.subarray(at, at + blockSamples)));
  parts.push(mp3.end());
  return joined([mp3.info(), ...parts]);
}

/** An MP3 that comes block by block, with an encoder of its own. `info` is what stands before it, once it has ended. */
export async function openMp3(sampleRate: number) {
  return beginMp3(await createMp3Encoder(), sampleRate);
}

function beginMp3(encoder: Encoder, sampleRate: number) {
  const outputSampleRate = knownRates.find((rate) => rate >= sampleRate) ?? 48000;
  encoder.configure({ sampleRate, channels: 1, bitrate: outputSampleRate > 24000 ? 96 : 64, outputSampleRate });
  const counter = createFrameCounter();
  let head: Uint8Array = new Uint8Array(0);
  let [bytes, samples] = [0, 0];
  const keep = (encoded: Uint8Array) => {
    const part = encoded.slice();
    if (head.length === 0) head = part.slice(0, 4);
    counter.add(part);
    bytes += part.length;
    return part;
  };
  return {
    add(pcm: Int16Array): Uint8Array {
      samples += pcm.length;
      return keep(encoder.encode([Float32Array.from(pcm, (value) => value / 32768)]));
    },
    end: () => keep(encoder.finalize()),
    info: () =>
      infoFrame(head, {
        frames: counter.frames(),
        bytes,
        samples: Math.round((samples * outputSampleRate) / sampleRate),
      }),
  };
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
