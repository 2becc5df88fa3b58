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

/** Values of the Vorbis comments `AIGC` in front of a FLAC file's frames. */
export function findFlacLabels(file: Uint8Array): string[] {
  const bytes = Buffer.from(file);
  if (bytes.toString("latin1", 0, 4) !== "fLaC") throw new Error("no FLAC file");
  const found: string[] = [];
  for (let at = 4, isLast = false; !isLast; at += 4 + bytes.readUIntBE(at + 1, 3)) {
    isLast = bytes.readUInt8(at) >= 0x80;
    if ((bytes.readUInt8(at) & 0x7f) !== 4) continue;
    let comment = at + 8 + bytes.readUInt32LE(at + 4) + 4;
    for (let left = bytes.readUInt32LE(comment - 4); left > 0; left--) {
      const text = bytes.toString("utf8", comment + 4, comment + 4 + bytes.readUInt32LE(comment));
      if (text.startsWith("AIGC=")) found.push(text.slice(5).trim());
      comment += 4 + bytes.readUInt32LE(comment);
    }
  }
  return found;
}

const containers = ["moov", "udta", "meta", "ilst"];

/** Values of the `AIGC` key in the metadata of an MP4: `moov/udta/meta` with `keys` and `ilst`. */
export function findMp4Labels(file: Uint8Array): string[] {
  const bytes = Buffer.from(file);
  const keys: string[] = [];
  const found: string[] = [];
  const walk = (from: number, to: number, parent: string) => {
    for (let at = from; at + 8 <= to; ) {
      const size = bytes.readUInt32BE(at);
      const type = bytes.toString("latin1", at + 4, at + 8);
      if (size < 8 || at + size > to) throw new Error(`a box ${type} of ${size} bytes`);
      if (type === "keys")
        for (let key = at + 16; key < at + size; key += bytes.readUInt32BE(key))
          keys.push(bytes.toString("latin1", key + 8, key + bytes.readUInt32BE(key)));
      // The entry of the key with this number, from 1; its `data` box has 16 bytes before the value.
      else if (parent === "ilst" && keys[bytes.readUInt32BE(at + 4) - 1] === "AIGC")
        found.push(bytes.toString("utf8", at + 24, at + size).trim());
      else if (containers.includes(type)) {
        // Some writers give `meta` a version and flags.
        const isFull = type === "meta" && bytes.readUInt32BE(at + 8) === 0;
        walk(at + (isFull ? 12 : 8), at + size, type);
      }
      at += size;
    }
  };
  walk(0, bytes.length, "");
  return found;
}

const ebml = { segment: 0x18538067, tags: 0x1254c367, tag: 0x7373, simple: 0x67c8, name: 0x45a3, value: 0x4487 };

/** Values of the `AIGC` tag of a WebM. */
export function findWebmLabels(file: Uint8Array): string[] {
  const bytes = Buffer.from(file);
  const found: string[] = [];
  let name = "";
  const walk = (from: number, to: number) => {
    for (let at = from; at < to; ) {
      const idLength = Math.clz32(bytes[at] ?? 0) - 23;
      const id = bytes.readUIntBE(at, idLength);
      at += idLength;
      const sizeLength = Math.clz32(bytes[at] ?? 0) - 23;
      const size = Number(BigInt.asUintN(7 * sizeLength, bytes.readBigUInt64BE(at) >> BigInt(64 - 8 * sizeLength)));
      at += sizeLength;
      const isUnknown = size === 2 ** (7 * sizeLength) - 1;
      const end = isUnknown ? to : at + size;
      if (end > to) throw new Error("an element runs over the end");
      if (id === ebml.segment || id === ebml.tags || id === ebml.tag || id === ebml.simple) walk(at, end);
      else if (id === ebml.name) name = bytes.toString("utf8", at, end);
      else if (id === ebml.value && name === "AIGC") found.push(bytes.toString("utf8", at, end).trim());
      at = end;
    }
  };
  walk(0, bytes.length);
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
