import { createOpusDecoder } from "@audio/decode-opus/core";
import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingError } from "../format";
import { type DecodeBounds, MonoCollector } from "../mono";

/** Hz; Opus always decodes at 48 kHz. */
const sampleRate = 48_000;
/** At most 120 ms each, so a block stays under two seconds. */
const packetsPerBlock = 16;

export interface OpusStream {
  /** The identification header: OpusHead of Ogg, CodecPrivate of WebM. */
  head: Uint8Array;
  packets: Iterable<Uint8Array>;
  /** Declared length including pre-skip; samples beyond are padding. */
  totalSamples?: number | undefined;
  bounds: DecodeBounds;
}

/** Decodes packets up to the limit; skips damaged ones. */
export async function decodeOpus({ head, packets, totalSamples, bounds }: OpusStream): Promise<MonoRecording> {
  const layout = parseHead(head);
  const decoder = await createOpusDecoder();
  try {
    decoder.configure({ ...layout, sampleRate });
    const mono = new MonoCollector(bounds);
    let remaining = totalSamples === undefined ? Number.POSITIVE_INFINITY : totalSamples - layout.preSkip;
    for (const block of blocksOf(packets)) {
      if (remaining <= 0) break;
      const { channelData, samplesDecoded } = decoder.decodeFrames(block);
      if (samplesDecoded === 0) continue;
      const count = Math.max(0, Math.min(samplesDecoded, remaining));
      mono.add(
        count < samplesDecoded ? channelData.map((channel) => channel.subarray(0, count)) : channelData,
        sampleRate,
      );
      remaining -= samplesDecoded;
    }
    return mono.finish();
  } finally {
    decoder.free();
  }
}

/** RFC 7845, section 5.1. */
function parseHead(head: Uint8Array) {
  const isHead = Buffer.from(head.subarray(0, 8)).toString("latin1") === "OpusHead" && head.length >= 19;
  if (!isHead) throw recordingError("damaged");
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const channels = view.getUint8(9);
  const family = view.getUint8(18);
  const layout = { channels, preSkip: view.getUint16(10, true), outputGain: view.getInt16(16, true) };
  if (family === 0 && (channels === 1 || channels === 2)) return layout;
  if (family !== 1 || channels < 1 || channels > 8 || head.length < 21 + channels) throw recordingError("damaged");
  return {
    ...layout,
    streamCount: view.getUint8(19),
    coupledStreamCount: view.getUint8(20),
    channelMappingTable: head.subarray(21, 21 + channels),
  };
}

function* blocksOf(packets: Iterable<Uint8Array>): Generator<Uint8Array[]> {
  let block: Uint8Array[] = [];
  for (const packet of packets) {
    block.push(packet);
    if (block.length < packetsPerBlock) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}
