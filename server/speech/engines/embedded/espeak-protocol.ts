import type { Readable, Writable } from "node:stream";

export interface EspeakRequest {
  /** Text with phoneme mnemonics in double square brackets. */
  markup: string;
  /** Words per minute, 80–450; normal is 170. */
  rate: number;
  /** Pitch range, 0–100. */
  range: number;
}

/** Asks for eSpeak's American IPA of words. */
export interface PronounceRequest {
  words: string[];
}

/** Head of a reply; the frame body holds 16-bit little-endian mono samples. */
export interface EspeakReply {
  fault?: string;
  sampleRate: number;
  /** Start times of markup words; `position` is 1-based, in characters. */
  words: Array<{ ms: number; position: number }>;
  /** Empty `ipa` is silence; `(en)` and `(cmn)` are language switches. */
  phonemes: Array<{ ms: number; ipa: string }>;
  /** Of the words that were asked for. */
  pronunciations?: string[];
}

/** A message on the pipe: JSON head and raw body, preceded by both lengths (unsigned 32-bit little-endian). */
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

/** Calls `receive` for every frame; destroys the pipe with an error on invalid bytes. */
export function readFrames<Head>(pipe: Readable, receive: (frame: Frame<Head>) => void): void {
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  let neededBytes = prefixBytes;
  pipe.on("data", (bytes: Buffer) => {
    buffered.push(bytes);
    bufferedBytes += bytes.length;
    if (bufferedBytes < neededBytes) return;
    let rest = Buffer.concat(buffered);
    while (rest.length >= prefixBytes) {
      const bodyStart = prefixBytes + rest.readUInt32LE(0);
      const end = bodyStart + rest.readUInt32LE(4);
      neededBytes = end;
      if (end > maxFrameBytes) {
        pipe.destroy(new Error(`A frame of ${end} bytes is too large`));
        return;
      }
      if (rest.length < end) break;
      const head = JSON.parse(rest.toString("utf8", prefixBytes, bodyStart)) as Head;
      receive({ head, body: Uint8Array.from(rest.subarray(bodyStart, end)) });
      rest = rest.subarray(end);
      neededBytes = prefixBytes;
    }
    buffered = [rest];
    bufferedBytes = rest.length;
  });
}
