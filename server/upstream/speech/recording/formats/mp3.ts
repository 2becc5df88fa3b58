import { MPEGDecoder } from "mpg123-decoder";
import { tagBytes } from "../container";
import { recordingError } from "../fault";
import { createMonoCollector, type MonoRecording, maxSamples } from "../mono";

interface FrameHeader {
  bytes: number;
  samples: number;
  sampleRate: number;
}

const chunkBytes = 32_768;
/** Rubbish allowed between frames before the file counts as something else. */
const maxGapBytes = 65_536;

/** MP3 (any MPEG layer). Frames are counted before the first is decoded, so that a too long file costs nothing. */
export async function decodeMp3(bytes: Uint8Array): Promise<MonoRecording & { complete: boolean }> {
  const walk = walkFrames(bytes);
  if (walk.frames < 2) throw recordingError("not-audio");
  if (walk.samples > maxSamples(walk.sampleRate)) throw recordingError("too-long");
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const mono = createMonoCollector();
    for (let at = walk.firstAt; at < walk.endAt; at += chunkBytes) {
      const block = decoder.decode(bytes.subarray(at, Math.min(at + chunkBytes, walk.endAt)));
      if (block.samplesDecoded > 0) mono.add(block.channelData, block.sampleRate);
    }
    return { ...mono.finish(), complete: walk.complete };
  } finally {
    decoder.free();
  }
}

/** Steps from frame header to frame header, over the tag in front and rubbish between. */
function walkFrames(bytes: Uint8Array) {
  const walk = { frames: 0, samples: 0, sampleRate: 0, firstAt: 0, endAt: 0, complete: true };
  let at = tagBytes(bytes);
  let gap = 0;
  while (at + 4 <= bytes.length && gap < maxGapBytes) {
    const header = parseHeader(bytes, at);
    // Two headers in a row make a frame; four bytes alone can be anything.
    const isFrame = header !== null && (walk.frames > 0 || parseHeader(bytes, at + header.bytes) !== null);
    if (header === null || !isFrame) {
      at++;
      gap++;
      continue;
    }
    if (walk.frames === 0) Object.assign(walk, { firstAt: at, sampleRate: header.sampleRate });
    walk.complete = at + header.bytes <= bytes.length;
    walk.frames++;
    walk.samples += header.samples;
    gap = 0;
    at += header.bytes;
    walk.endAt = Math.min(at, bytes.length);
  }
  return walk;
}

const rates = [44_100, 48_000, 32_000];
const bitrates: Record<string, number[]> = {
  "1/1": [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1/2": [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1/3": [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2/1": [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2/2": [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  "2/3": [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

function parseHeader(bytes: Uint8Array, at: number): FrameHeader | null {
  const [first, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const versionBits = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const rate = rates[(third >> 2) & 3];
  const generation = versionBits === 3 ? 1 : 2;
  const kbps = bitrates[`${generation}/${layer}`]?.[(third >> 4) - 1];
  if (versionBits === 1 || layer === 4 || rate === undefined || kbps === undefined) return null;
  const sampleRate = rate / (versionBits === 3 ? 1 : versionBits === 2 ? 2 : 4);
  const samples = layer === 1 ? 384 : layer === 3 && generation === 2 ? 576 : 1152;
  const padding = (third >> 1) & 1;
  const slot = layer === 1 ? 4 : 1;
  const frameBytes = (Math.floor((samples * kbps * 125) / sampleRate / slot) + padding) * slot;
  return { bytes: frameBytes, samples, sampleRate };
}
