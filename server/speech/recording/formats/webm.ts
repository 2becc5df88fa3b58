import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingError } from "../format";
import type { DecodeBounds } from "../mono";
import { decodeOpus } from "./opus";

/** Matroska element IDs (RFC 9559). Master elements are entered, so their sizes are not needed. */
const id = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  cluster: 0x1f43b675,
  clusterTimestamp: 0xe7,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const;

const masters = new Set<number>([id.segment, id.info, id.tracks, id.trackEntry, id.cluster, id.blockGroup]);
const audioType = 2;
const maxTracks = 64;
/** Above the longest recording with 2.5 ms packets. */
const maxBlocks = 100_000;

interface WebmTrack {
  number: number;
  type: number;
  codec: string;
  head: Uint8Array;
}

/** Decodes Opus in WebM as MediaRecorder writes it: unknown sizes, often no duration. */
export async function decodeWebm(
  bytes: Uint8Array,
  bounds: DecodeBounds,
): Promise<MonoRecording & { complete: boolean }> {
  const { tracks, blocks, complete, seconds } = readElements(bytes);
  if (seconds > bounds.maxSeconds + 1) throw recordingError("too-long");
  const track = tracks.find(({ type }) => type === audioType);
  if (track === undefined) throw recordingError(tracks.length > 0 ? "not-audio" : "damaged");
  if (track.codec !== "A_OPUS") throw recordingError("unsupported");
  const packets = blocks.map((block) => packetOf(block, track.number)).filter((packet) => packet !== null);
  return { ...(await decodeOpus({ head: track.head, packets, bounds })), complete };
}

function readElements(bytes: Uint8Array) {
  const tracks: WebmTrack[] = [];
  const blocks: Uint8Array[] = [];
  const clock = { scaleNs: 1_000_000, duration: 0, last: 0 };
  let complete = true;
  let at = 0;
  while (at < bytes.length) {
    const element = parseElement(bytes, at);
    if (element === null) {
      complete = false;
      break;
    }
    at = element.bodyAt;
    if (element.id === id.trackEntry) tracks.push({ number: 0, type: 0, codec: "", head: new Uint8Array(0) });
    if (tracks.length > maxTracks) throw recordingError("damaged");
    if (blocks.length > maxBlocks) throw recordingError("too-long");
    if (masters.has(element.id)) continue;
    complete = at + element.size <= bytes.length;
    if (!complete) break;
    const body = bytes.subarray(at, at + element.size);
    if (element.id === id.simpleBlock || element.id === id.block) blocks.push(body);
    readTrack(tracks.at(-1), element.id, body);
    readClock(clock, element.id, body);
    at += element.size;
  }
  return { tracks, blocks, complete, seconds: (Math.max(clock.duration, clock.last) * clock.scaleNs) / 1e9 };
}

function readTrack(track: WebmTrack | undefined, element: number, body: Uint8Array): void {
  if (track === undefined) return;
  if (element === id.trackNumber) track.number = toNumber(body);
  if (element === id.trackType) track.type = toNumber(body);
  if (element === id.codecId) track.codec = Buffer.from(body).toString("latin1").replace(/\0.*$/s, "");
  if (element === id.codecPrivate) track.head = body;
}

function readClock(clock: { scaleNs: number; duration: number; last: number }, element: number, body: Uint8Array) {
  if (element === id.timestampScale) clock.scaleNs = toNumber(body) || clock.scaleNs;
  if (element === id.clusterTimestamp) clock.last = Math.max(clock.last, toNumber(body));
  if (element !== id.duration) return;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const value = body.length === 8 ? view.getFloat64(0) : body.length === 4 ? view.getFloat32(0) : 0;
  if (value > 0) clock.duration = value;
}

/** Null if the ID or size is truncated or malformed. A master of unknown size has size −1. */
function parseElement(bytes: Uint8Array, at: number): { id: number; size: number; bodyAt: number } | null {
  const nameLength = vintLength(bytes, at);
  const sizeAt = at + nameLength;
  if (nameLength === 0 || nameLength > 4) return null;
  const name = toNumber(bytes.subarray(at, sizeAt));
  const size = parseVint(bytes, sizeAt);
  if (size === null || (size.value < 0 && !masters.has(name))) return null;
  return { id: name, size: size.value, bodyAt: sizeAt + size.length };
}

/** EBML variable-size integer of 1–8 bytes (RFC 8794); all ones (unknown) becomes −1. */
function parseVint(bytes: Uint8Array, at: number): { value: number; length: number } | null {
  const length = vintLength(bytes, at);
  if (length === 0) return null;
  const mask = 0xff >> length;
  const first = (bytes[at] as number) & mask;
  const rest = bytes.subarray(at + 1, at + length);
  const isUnknown = first === mask && rest.every((byte) => byte === 0xff);
  return { value: isUnknown ? -1 : first * 256 ** (length - 1) + toNumber(rest), length };
}

/** Length by the leading zeros of the first byte; 0 if malformed or truncated. */
function vintLength(bytes: Uint8Array, at: number): number {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  return length > 8 || at + length > bytes.length ? 0 : length;
}

const toNumber = (body: Uint8Array) => body.reduce((sum, byte) => sum * 256 + byte, 0);

/** The Opus packet of a block of this track; null for laced blocks, which recorders do not write. */
function packetOf(block: Uint8Array, trackNumber: number): Uint8Array | null {
  const track = parseVint(block, 0);
  if (track === null || track.value !== trackNumber) return null;
  const flags = block[track.length + 2] ?? 0;
  const hasLacing = (flags & 0x06) !== 0;
  return hasLacing || block.length <= track.length + 3 ? null : block.subarray(track.length + 3);
}
