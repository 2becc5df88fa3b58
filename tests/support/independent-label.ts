/** Reads GB 45438-2025 labels without the product's code: returns the JSON texts in order. */

/** Every top-level `AIGC` chunk of a WAV; throws if the RIFF sizes are inconsistent. */
export function findWavLabels(file: Uint8Array): string[] {
  const bytes = Buffer.from(file);
  if (bytes.readUInt32LE(4) !== bytes.length - 8) throw new Error("the RIFF size differs from the file size");
  const found: string[] = [];
  for (let at = 12; at < bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "AIGC") found.push(bytes.toString("latin1", at + 8, at + 8 + size));
    at += 8 + size + (size & 1);
    if (at > bytes.length) throw new Error("a chunk runs over the end");
  }
  return found;
}

/** Every `TXXX` frame named `AIGC` of an MP3's only ID3v2 tag, which must end exactly at the first MPEG frame. */
export function findMp3Labels(file: Uint8Array): string[] {
  const bytes = Buffer.from(file);
  if (bytes.toString("latin1", 0, 4) !== "ID3\x03") throw new Error("no ID3v2.3 tag");
  const end = 10 + bytes.subarray(6, 10).reduce((sum, byte) => (sum << 7) | byte, 0);
  if ((bytes.readUInt16BE(end) & 0xffe0) !== 0xffe0) throw new Error("no MPEG frame after the tag");
  if (bytes.indexOf("TXXX", end) !== -1) throw new Error("another tag after the sound");
  const found: string[] = [];
  for (let at = 10; at < end; at += 10 + bytes.readUInt32BE(at + 4)) {
    const [description, value] = bytes.toString("latin1", at + 11, at + 10 + bytes.readUInt32BE(at + 4)).split("\0");
    if (bytes.toString("latin1", at, at + 4) === "TXXX" && description === "AIGC") found.push(value ?? "");
  }
  return found;
}
