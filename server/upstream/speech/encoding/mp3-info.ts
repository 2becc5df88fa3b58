import { parseFrameHeader } from "../recording/formats/mpeg-frame";

/** Samples the encoder puts before the first one; decoders add 529 of their own and take away both. */
const encoderDelay = 576;
const headerBytes = 4;
/** Mono frames hold this much between header and sound. */
const sideBytes = { 1: 17, 2: 9 };

/**
 * The silent frame that goes in front of an MP3 and tells players how many frames follow and how many samples at either
 * end are not sound ("Info" with LAME's extension). Without it everything sounds 50 ms late at 22 kHz.
 */
export function infoFrame(audio: Uint8Array, samples: number): Uint8Array {
  const first = parseFrameHeader(audio, 0);
  if (first === null) return new Uint8Array(0);
  // The padding bit off: the frame has its plain size.
  const header = Uint8Array.from([audio[0] ?? 0, audio[1] ?? 0, (audio[2] ?? 0) & ~2, audio[3] ?? 0]);
  const frame = Buffer.alloc(parseFrameHeader(header, 0)?.bytes ?? first.bytes);
  frame.set(header);
  const frames = countFrames(audio);
  let at = headerBytes + sideBytes[first.generation];
  frame.write("Info", at, "latin1");
  // Flags: the count of frames and the size are given, a table of places is not.
  at = frame.writeUInt32BE(3, at + 4);
  at = frame.writeUInt32BE(frames, at);
  at = frame.writeUInt32BE(frame.length + audio.length, at);
  frame.write("LAME3.100", at, "latin1");
  const padding = Math.max(0, Math.min(0xfff, frames * first.samples - encoderDelay - samples));
  frame.writeUIntBE(encoderDelay * 4096 + padding, at + 21, 3);
  return frame;
}

function countFrames(audio: Uint8Array): number {
  let frames = 0;
  for (let at = 0; at < audio.length; frames++) {
    const header = parseFrameHeader(audio, at);
    if (header === null) break;
    at += header.bytes;
  }
  return frames;
}
