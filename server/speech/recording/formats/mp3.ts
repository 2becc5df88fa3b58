import { MPEGDecoder } from "mpg123-decoder";
import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingError, tagBytes } from "../format";
import { type DecodeBounds, MonoCollector, maxSamples } from "../mono";
import { parseFrameHeader } from "./mpeg-frame";

const chunkBytes = 32_768;
/** Invalid bytes accepted between frames. */
const maxGapBytes = 65_536;

/** Decodes MPEG audio of any layer. Counts frames first, so that long files are rejected without decoding. */
export async function decodeMp3(
  bytes: Uint8Array,
  bounds: DecodeBounds,
): Promise<MonoRecording & { complete: boolean }> {
  const scan = scanFrames(bytes);
  if (scan.frames < 2) throw recordingError("not-audio");
  if (scan.samples > maxSamples(scan.sampleRate, bounds)) throw recordingError("too-long");
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const mono = new MonoCollector(bounds);
    for (let at = scan.firstAt; at < scan.endAt; at += chunkBytes) {
      const block = decoder.decode(bytes.subarray(at, Math.min(at + chunkBytes, scan.endAt)));
      if (block.samplesDecoded > 0) mono.add(block.channelData, block.sampleRate);
    }
    return { ...mono.finish(), complete: scan.complete };
  } finally {
    decoder.free();
  }
}

/** Scans the frame headers, skipping a leading tag and invalid bytes. */
function scanFrames(bytes: Uint8Array) {
  const scan = { frames: 0, samples: 0, sampleRate: 0, firstAt: 0, endAt: 0, complete: true };
  let at = tagBytes(bytes);
  let gap = 0;
  while (at + 4 <= bytes.length && gap < maxGapBytes) {
    const header = parseFrameHeader(bytes, at);
    // The first frame needs a second header behind it, to rule out chance matches.
    const isFrame = header !== null && (scan.frames > 0 || parseFrameHeader(bytes, at + header.bytes) !== null);
    if (header === null || !isFrame) {
      at++;
      gap++;
      continue;
    }
    if (scan.frames === 0) Object.assign(scan, { firstAt: at, sampleRate: header.sampleRate });
    scan.complete = at + header.bytes <= bytes.length;
    scan.frames++;
    scan.samples += header.samples;
    gap = 0;
    at += header.bytes;
    scan.endAt = Math.min(at, bytes.length);
  }
  return scan;
}
