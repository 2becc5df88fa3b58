import { parseFrameHeader } from "../recording/formats/mpeg-frame";

/** Samples the encoder puts before the first one; decoders add 529 of their own and take away both. */
const encoderDelay = 576;
const headerBytes = 4;
/** Mono frames hold this much between header and sound. */
const sideBytes = { 1: 17, 2: 9 };

/**
 * The silent frame that goes in front of an MP3 and tells players how many frames follow and how many samples at either
 * end are not sound ("Info" with LAME's extension). Without it everything sounds 50 ms late at 22 kHz. `head`: the first bytes
 * of the sound; `frames` and `bytes`: all of it.
 */
export function infoFrame(
  head: Uint8Array,
  { frames, bytes, samples }: { frames: number; bytes: number; samples: number },
): Uint8Array {
  const first = parseFrameHeader(head, 0);
  if (first === null) return new Uint8Array(0);
  // The padding bit off: the frame has its plain size.
  const header = Uint8Array.from([head[0] ?? 0, head[1] ?? 0, (head[2] ?? 0) & ~2, head[3] ?? 0]);
  const frame = Buffer.alloc(parseFrameHeader(header, 0)?.bytes ?? first.bytes);
  frame.set(header);
  let at = headerBytes + sideBytes[first.generation];
  frame.write("Info", at, "latin1");
  // Flags: the count of frames and the size are given, a table of places is not.
  at = frame.writeUInt32BE(3, at + 4);
  at = frame.writeUInt32BE(frames, at);
  at = frame.writeUInt32BE(frame.length + bytes, at);
  frame.write("LAME3.100", at, "latin1");
  const padding = Math.max(0, Math.min(0xfff, frames * first.samples - encoderDelay - samples));
  frame.writeUIntBE(encoderDelay * 4096 + padding, at + 21, 3);
  return frame;
}

/** Counts the frames of an MP3 that comes in parts, cut anywhere. */
export function createFrameCounter(): { add(part: Uint8Array): void; frames(): number } {
  let frames = 0;
  /** Bytes until the next frame begins, and the first ones of a header that is not whole yet. */
  let until = 0;
  let rest: Uint8Array = new Uint8Array(0);
  return {
    add(part) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, part]) : part;
      let at = until;
      for (; at + headerBytes <= bytes.length; frames++) {
        const header = parseFrameHeader(bytes, at);
        if (header === null) throw new Error("an MP3 frame without a header");
        at += header.bytes;
      }
      rest = bytes.slice(Math.min(at, bytes.length));
      until = Math.max(0, at - bytes.length);
    },
    frames: () => frames,
  };
}
