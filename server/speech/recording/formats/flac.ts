import { FLACDecoder } from "@wasm-audio-decoders/flac";
import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingError, tagBytes } from "../format";
import { type DecodeBounds, MonoCollector, maxSamples } from "../mono";

/** Of silence it holds 70 frames of up to 65,535 samples in 8 channels: 150 MB. */
const chunkBytes = 1_024;
/** The largest frame is 2 MB; bytes that hold no frame for longer end the search. */
const maxBytesWithoutFrame = 4 * 1024 * 1024;
const streamInfoEnd = 42;
/** The decoder scales other depths wrongly. */
const supportedBits = new Set([8, 16, 24]);

/** FLAC (RFC 9639) of 8, 16 or 24 bits. Decoding ends at the first damaged frame, and the recording is incomplete. */
export async function decodeFlac(
  bytes: Uint8Array,
  bounds: DecodeBounds,
): Promise<MonoRecording & { complete: boolean }> {
  const stream = bytes.subarray(tagBytes(bytes));
  const { bits, totalSamples, framesAt } = readMetadata(stream, bounds);
  const decoder = new FLACDecoder();
  await decoder.ready;
  try {
    const mono = new MonoCollector(bounds);
    let decodedSamples = 0;
    let errorCount = 0;
    let lastFrameAt = framesAt;
    const add = async (decoding: ReturnType<typeof decoder.decode>) => {
      const { channelData, samplesDecoded, sampleRate, errors } = await decoding;
      mono.add(
        channelData.map((samples) => rescale(samples, bits)),
        sampleRate,
      );
      decodedSamples += samplesDecoded;
      errorCount += errors.length;
      return samplesDecoded > 0;
    };
    const header = stream.slice(0, streamInfoEnd);
    header[4] = 0x80; // STREAMINFO as the last metadata block
    await add(decoder.decode(header));
    for (let at = framesAt; at < stream.length && at - lastFrameAt <= maxBytesWithoutFrame; at += chunkBytes) {
      if (await add(decoder.decode(stream.subarray(at, at + chunkBytes)))) lastFrameAt = at;
    }
    await add(decoder.flush());
    return { ...mono.finish(), complete: errorCount === 0 && (totalSamples === 0 || decodedSamples === totalSamples) };
  } finally {
    decoder.free();
  }
}

/** The decoder divides by the largest sample; dividing by full scale, as WAV does, restores the exact values. */
function rescale(samples: Float32Array, bits: number): Float32Array {
  const fullScale = 2 ** (bits - 1);
  const exact = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) exact[i] = Math.round((samples[i] as number) * (fullScale - 1)) / fullScale;
  return exact;
}

/** `totalSamples` is 0 if the encoder did not know it. */
function readMetadata(stream: Uint8Array, bounds: DecodeBounds) {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  if (stream.length < streamInfoEnd || (view.getUint8(4) & 0x7f) !== 0) throw recordingError("damaged");
  const packed = view.getUint32(18);
  const bits = ((packed >>> 4) & 31) + 1;
  const totalSamples = (packed & 15) * 2 ** 32 + view.getUint32(22);
  if (totalSamples > maxSamples(packed >>> 12, bounds)) throw recordingError("too-long");
  if (!supportedBits.has(bits)) throw recordingError("unsupported");
  let framesAt = 4;
  for (let isLast = false; !isLast; ) {
    if (framesAt + 4 > stream.length) throw recordingError("damaged");
    const block = view.getUint32(framesAt);
    isLast = block >>> 31 === 1;
    framesAt += 4 + (block & 0xffffff);
  }
  return { bits, totalSamples, framesAt };
}
