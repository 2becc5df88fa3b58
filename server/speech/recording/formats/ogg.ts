import { decoder as createVorbisDecoder } from "@audio/decode-vorbis";
import type { MonoRecording } from "~server/contract/recording/judge";
import { SpeechError } from "../../engine";
import { recordingError } from "../format";
import { type DecodeBounds, MonoCollector, maxSamples } from "../mono";
import { decodeOpus } from "./opus";

interface Page {
  bytes: Uint8Array;
  serial: number;
  /** Sample position at the end of the page; null if no packet ends on it. */
  granule: number | null;
  startsMidPacket: boolean;
  /** Segment lengths; 255 continues the packet. */
  lacing: Uint8Array;
  bodyAt: number;
}

const maxVorbisChannels = 8;
const pageHeaderBytes = 27;
/** Above the longest recording with one 2.5 ms packet per page. */
const maxPages = 100_000;

/** Decodes Opus or Vorbis in Ogg; only the first logical stream is used. */
export async function decodeOgg(
  bytes: Uint8Array,
  bounds: DecodeBounds,
): Promise<MonoRecording & { complete: boolean }> {
  const { pages, complete } = readPages(bytes);
  const head = packetsOf(pages).next().value;
  if (head === undefined) throw recordingError("damaged");
  const last = pages.findLast(({ granule }) => granule !== null)?.granule ?? undefined;
  const codec = Buffer.from(head.subarray(0, 8)).toString("latin1");
  if (codec === "OpusHead") {
    if (last !== undefined && last > maxSamples(48_000, bounds) + 65_536) throw recordingError("too-long");
    // The first two packets are headers (RFC 7845, section 3).
    const packets = packetsOf(pages);
    packets.next();
    packets.next();
    return { ...(await decodeOpus({ head, packets, totalSamples: complete ? last : undefined, bounds })), complete };
  }
  if (!codec.startsWith("\x01vorbis")) throw recordingError("unsupported");
  return decodeVorbis({ pages, head, last, complete, bounds });
}

async function decodeVorbis({
  pages,
  head,
  last,
  complete,
  bounds,
}: {
  pages: Page[];
  head: Uint8Array;
  last: number | undefined;
  complete: boolean;
  bounds: DecodeBounds;
}): Promise<MonoRecording & { complete: boolean }> {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 30 || view.getUint8(11) > maxVorbisChannels) throw recordingError("damaged");
  const limit = maxSamples(view.getUint32(12, true), bounds);
  if (last !== undefined && last > limit) throw recordingError("too-long");
  const decoder = await createVorbisDecoder();
  try {
    const mono = new MonoCollector(bounds);
    const add = ({ channelData, sampleRate }: ReturnType<typeof decoder.decode>) => mono.add(channelData, sampleRate);
    let readable = true;
    for (const page of pages) {
      try {
        add(decoder.decode(page.bytes));
      } catch (error) {
        if (error instanceof SpeechError) throw error;
        // The decoder cannot continue after a damaged page.
        readable = false;
        break;
      }
    }
    if (readable) add(decoder.flush());
    return { ...mono.finish(), complete: complete && readable };
  } finally {
    decoder.free();
  }
}

/** The pages of the first stream; `complete` is false if the file ends inside a page. */
function readPages(bytes: Uint8Array): { pages: Page[]; complete: boolean } {
  const pages: Page[] = [];
  let at = 0;
  while (at + pageHeaderBytes <= bytes.length) {
    const page = parsePage(bytes, at);
    if (page === "cut") return { pages, complete: false };
    if (page === null) {
      at = bytes.indexOf(0x4f, at + 1);
      if (at === -1) return { pages, complete: false };
      continue;
    }
    if (pages.length === 0 || page.serial === pages[0]?.serial) pages.push(page);
    if (pages.length > maxPages) throw recordingError("too-long");
    at += page.bytes.length;
  }
  return { pages, complete: at === bytes.length };
}

/** "OggS" and version 0. */
const magic = [0x4f, 0x67, 0x67, 0x53, 0];

function parsePage(bytes: Uint8Array, at: number): Page | "cut" | null {
  if (magic.some((byte, i) => bytes[at + i] !== byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
  const bodyAt = pageHeaderBytes + view.getUint8(26);
  if (bodyAt > view.byteLength) return "cut";
  const lacing = bytes.subarray(at + pageHeaderBytes, at + bodyAt);
  const end = lacing.reduce((sum, length) => sum + length, bodyAt);
  if (end > view.byteLength) return "cut";
  const granule = view.getBigInt64(6, true);
  return {
    bytes: bytes.subarray(at, at + end),
    serial: view.getUint32(14, true),
    granule: granule < 0n ? null : Number(granule),
    startsMidPacket: (view.getUint8(5) & 1) === 1,
    lacing,
    bodyAt,
  };
}

/** Reassembles packets from page segments. */
function* packetsOf(pages: readonly Page[]): Generator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  for (const page of pages) {
    if (!page.startsMidPacket) pieces = [];
    let at = page.bodyAt;
    for (const length of page.lacing) {
      pieces.push(page.bytes.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      yield pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
      pieces = [];
    }
  }
}
