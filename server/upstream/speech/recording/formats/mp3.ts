import { MPEGDecoder } from "mpg123-decoder";
import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingError, tagBytes } from "../format";
import { createMonoCollector, type DecodeBounds, maxSamples } from "../mono";
import { parseFrameHeader } from "./mpeg-frame";

const chunkBytes = 32_768;
/** Rubbish allowed between frames before the file counts as something else. */
const maxGapBytes = 65_536;

/** MP3 (any MPEG layer). Frames are counted before the first is decoded, so that a too long file costs nothing. */
export async function decodeMp3(
  bytes: Uint8Array,
  bounds: DecodeBounds,
): Promise<MonoRecording & { complete: boolean }> {
  const walk = walkFrames(bytes);
  if (walk.frames < 2) throw recordingError("not-audio");
  if (walk.samples > maxSamples(walk.sampleRate, bounds)) throw recordingError("too-long");
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const mono = createMonoCollector(bounds);
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
    const header = parseFrameHeader(bytes, at);
    // Two headers in a row make a frame; four bytes alone can be anything.
    const isFrame = header !== null && (walk.frames > 0 || parseFrameHeader(bytes, at + header.bytes) !== null);
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
