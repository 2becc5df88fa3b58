import { createMp3Encoder } from "wasm-media-encoders";
import { concatArrays } from "../../dsp/pcm";
import { parseFrameHeader } from "./mpeg-frame";

/** Sample rates of MPEG layer III; the encoder resamples others to the next higher one. */
const knownRates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;
/** About one second, which keeps the encoder's buffers small. */
export const blockSamples = 32_768;

type Encoder = Awaited<ReturnType<typeof createMp3Encoder>>;

let ready: ReturnType<typeof createMp3Encoder> | undefined;

/**
 * Encodes mono MP3 at a constant 64 kbit/s up to 24 kHz and 96 kbit/s above. Gapless with `hasInfo`: see `createInfoFrame`.
 * Uses one encoder per process; calls run synchronously and do not interleave.
 */
export async function encodeMp3(
  pcm: Int16Array,
  sampleRate: number,
  { hasInfo = true } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  ready ??= createMp3Encoder();
  const mp3 = beginMp3(await ready, sampleRate);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < pcm.length; at += blockSamples) parts.push(mp3.add(pcm.subarray(at, at + blockSamples)));
  parts.push(mp3.end());
  return concatArrays(Uint8Array, hasInfo ? [mp3.info(), ...parts] : parts);
}

/** A block-wise encoder. `info` returns the frame to prepend, after `end`. */
export async function createMp3Writer(sampleRate: number) {
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
      createInfoFrame(head, {
        frames: counter.frames(),
        bytes,
        samples: Math.round((samples * outputSampleRate) / sampleRate),
      }),
  };
}

/** Encoder delay in samples; decoders add 529 and remove both. */
const encoderDelay = 576;
const headerBytes = 4;
/** Side information of mono frames by MPEG generation. */
const sideBytes = { 1: 17, 2: 9 };

/**
 * The "Info" frame with LAME extension: frame count, encoder delay and padding. Without it playback is 50 ms late at
 * 22 kHz. `head`: the first bytes of the stream; `frames` and `bytes`: its totals.
 */
export function createInfoFrame(
  head: Uint8Array,
  { frames, bytes, samples }: { frames: number; bytes: number; samples: number },
): Uint8Array {
  const first = parseFrameHeader(head, 0);
  if (first === null) return new Uint8Array(0);
  // Without the padding bit.
  const header = Uint8Array.from([head[0] ?? 0, head[1] ?? 0, (head[2] ?? 0) & ~2, head[3] ?? 0]);
  const frame = Buffer.alloc(parseFrameHeader(header, 0)?.bytes ?? first.bytes);
  frame.set(header);
  let at = headerBytes + sideBytes[first.generation];
  frame.write("Info", at, "latin1");
  // Flags: frame count and byte count, no seek table.
  at = frame.writeUInt32BE(3, at + 4);
  at = frame.writeUInt32BE(frames, at);
  at = frame.writeUInt32BE(frame.length + bytes, at);
  frame.write("LAME3.100", at, "latin1");
  const padding = Math.max(0, Math.min(0xfff, frames * first.samples - encoderDelay - samples));
  frame.writeUIntBE(encoderDelay * 4096 + padding, at + 21, 3);
  return frame;
}

/** Counts frames in a stream of arbitrary parts. */
export function createFrameCounter(): { add(part: Uint8Array): void; frames(): number } {
  let frames = 0;
  /** Bytes until the next frame, and a partial header. */
  let until = 0;
  let rest: Uint8Array = new Uint8Array(0);
  return {
    add(part) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, part]) : part;
      let at = until;
      for (; at + headerBytes <= bytes.length; frames++) {
        const header = parseFrameHeader(bytes, at);
        if (header === null) throw new Error("MP3 frame without a header");
        at += header.bytes;
      }
      rest = bytes.slice(Math.min(at, bytes.length));
      until = Math.max(0, at - bytes.length);
    },
    frames: () => frames,
  };
}
