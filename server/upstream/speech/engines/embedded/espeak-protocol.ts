import type { Readable, Writable } from "node:stream";

export interface EspeakRequest {
  id: number;
  /** Text with phoneme mnemonics in double square brackets. */
  markup: string;
  /** Words per minute, 80–450; 170 is the normal pace. */
  rate: number;
  /** Liveliness of pitch, 0–100. */
  range: number;
}

/** The body of the frame is the speech, 16-bit little-endian mono. */
export interface EspeakReply {
  id: number;
  fault?: string;
  sampleRate: number;
  /** Where a word of the markup begins to sound; `position` counts its characters from 1. */
  words: Array<{ ms: number; position: number }>;
  /** Empty `ipa` is silence; `(en)` and `(cmn)` switch the language. */
  phonemes: Array<{ ms: number; ipa: string }>;
}

/** What travels over a pipe: a JSON head and raw bytes, each preceded by its length (two unsigned 32-bit, little-endian). */
export interface Frame<Head> {
  head: Head;
  body: Uint8Array;
}

const prefixBytes = 8;
const maxFrameBytes = 64 * 1024 * 1024;

export function writeFrame(pipe: Writable, head: unknown, body: Uint8Array = new Uint8Array()): void {
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(json.length, 0);
  prefix.writeUInt32LE(body.byteLength, 4);
  pipe.write(Buffer.concat([prefix, json, body]));
}

/** Calls back for every whole frame; bytes that can't be a frame destroy the pipe with an error. */
export function readFrames<Head>(pipe: Readable, receive: (frame: Frame<Head>) => void): void {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let wantedBytes = prefixBytes;
  pipe.on("data", (bytes: Buffer) => {
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes < wantedBytes) return;
    let rest = Buffer.concat(waiting);
    while (rest.length >= prefixBytes) {
      const bodyStart = prefixBytes + rest.readUInt32LE(0);
      const end = bodyStart + rest.readUInt32LE(4);
      wantedBytes = end;
      if (end > maxFrameBytes) {
        pipe.destroy(new Error(`A frame of ${end} bytes is too large`));
        return;
      }
      if (rest.length < end) break;
      const head = JSON.parse(rest.toString("utf8", prefixBytes, bodyStart)) as Head;
      receive({ head, body: Uint8Array.from(rest.subarray(bodyStart, end)) });
      rest = rest.subarray(end);
      wantedBytes = prefixBytes;
    }
    waiting = [rest];
    waitingBytes = rest.length;
  });
}
