import { PassThrough, type Readable } from "node:stream";

const ascii =
  (text: string, at = 0) =>
  (bytes: Uint8Array) =>
    bytes.length >= at + text.length && [...text].every((char, i) => bytes[at + i] === char.charCodeAt(0));
const octets =
  (...expected: number[]) =>
  (bytes: Uint8Array) =>
    expected.every((octet, i) => bytes[i] === octet);
const both =
  (...tests: Array<(bytes: Uint8Array) => boolean>) =>
  (bytes: Uint8Array) =>
    tests.every((test) => test(bytes));

/** An MPEG layer III frame: eleven set bits, a real version, layer, bit rate and sample rate. */
function isMp3Frame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  const isSync = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && (second & 0x06) === 0x02;
  return isSync && third >> 4 !== 0xf && (third & 0x0c) !== 0x0c;
}

const signatures: Array<[string, (bytes: Uint8Array) => boolean]> = [
  ["audio/wav", both(ascii("RIFF"), ascii("WAVE", 8))],
  ["audio/mpeg", ascii("ID3")],
  ["audio/mpeg", isMp3Frame],
  ["audio/ogg", ascii("OggS")],
  ["audio/flac", ascii("fLaC")],
  ["audio/webm", octets(0x1a, 0x45, 0xdf, 0xa3)],
  ["audio/mp4", both(ascii("ftyp", 4), (bytes) => !ascii("avif", 8)(bytes))],
  ["image/avif", ascii("ftypavif", 4)],
  ["image/png", octets(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ["image/jpeg", octets(0xff, 0xd8, 0xff)],
  ["image/gif", ascii("GIF8")],
  ["image/webp", both(ascii("RIFF"), ascii("WEBP", 8))],
];
const aliases = new Map([
  ["audio/x-wav", "audio/wav"],
  ["audio/wave", "audio/wav"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/x-flac", "audio/flac"],
  ["audio/x-m4a", "audio/mp4"],
  ["image/jpg", "image/jpeg"],
]);
/** Containers of films and of sounds begin alike: the upstream says which it is. */
const films = new Map([
  ["audio/mp4", "video/mp4"],
  ["audio/webm", "video/webm"],
]);
const allowed = new Set([...signatures.map(([type]) => type), ...films.values()]);

export const signatureBytes = 16;

/** The media type by the first 16 bytes; null for anything but sounds and pictures. */
export function typeByBytes(bytes: Uint8Array): string | null {
  return signatures.find(([, matches]) => matches(bytes))?.[0] ?? null;
}

/** For timelines: accepts a JSON object that is not the envelope of a refusal. */
export const timelineByBytes = (bytes: Uint8Array): string | null => {
  const start = String.fromCharCode(...bytes.subarray(0, signatureBytes));
  return /^\s*\{(?!\s*"(code|data|msg)")/.test(start) ? "application/json" : null;
};

/** For archives: accepts zip files. */
export const zipByBytes = (bytes: Uint8Array): string | null =>
  octets(0x50, 0x4b, 0x03, 0x04)(bytes) ? "application/zip" : null;

/** The type by the bytes, or the film's type where the declared one agrees with it. */
export const withFilmType = (type: string | null, declared: string | null): string | null => {
  const film = films.get(type ?? "");
  return film && film === declared ? film : type;
};

/** The declared type, for a later part of a file; null if it is not allowed. */
export function typeByName(contentType: string | null): string | null {
  const name = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const type = aliases.get(name) ?? name;
  return allowed.has(type) ? type : null;
}

/** The first 16 bytes, put back into the stream; fewer if the file's `length` is less. */
export async function peekFirstBytes(source: Readable, length: number): Promise<Uint8Array> {
  const wanted = Math.min(signatureBytes, length);
  const pieces: Buffer[] = [];
  let size = 0;
  while (size < wanted && !source.readableEnded) {
    if (source.destroyed) throw source.errored ?? new Error("the file ended early");
    const piece: Buffer | null = source.read();
    if (piece) {
      pieces.push(piece);
      size += piece.length;
    } else if (isDrained(source)) break;
    else await nextChange(source);
  }
  const head = Buffer.concat(pieces);
  // In the same tick as the last read: the stream emits `end` in the next one and refuses unshift afterwards.
  if (size > 0) source.unshift(head);
  return head.subarray(0, signatureBytes);
}

/** Everything has been read, but `end` is not emitted yet. */
const isDrained = (source: Readable) =>
  source instanceof PassThrough && source.writableFinished && source.readableLength === 0;

function nextChange(source: Readable): Promise<void> {
  return new Promise((resolve) => {
    const events = ["readable", "end", "error", "close"];
    const seen = () => {
      for (const event of events) source.off(event, seen);
      resolve();
    };
    for (const event of events) source.on(event, seen);
  });
}
