import { open } from "node:fs/promises";

/** The characters of a type are bytes of Latin-1, such as the © of iTunes' tags. */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...content]);
}

export const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >>> 8, value & 255]));
export const u32 = (...values: number[]) =>
  u16(...values.flatMap((value) => [(value >>> 16) & 0xffff, value & 0xffff]));

/** The boxes in a box, each with its head. */
export function boxesIn(whole: Buffer): Array<{ type: string; bytes: Buffer }> {
  const boxes: Array<{ type: string; bytes: Buffer }> = [];
  for (let at = 8; at + 8 <= whole.length; ) {
    const end = at + Math.max(8, whole.readUInt32BE(at));
    boxes.push({ type: whole.toString("latin1", at + 4, at + 8), bytes: whole.subarray(at, end) });
    at = end;
  }
  return boxes;
}

/** The box with these boxes more at its end. */
export const withBoxes = (whole: Buffer, ...added: Buffer[]): Buffer =>
  box(whole.toString("latin1", 4, 8), whole.subarray(8), ...added);

/** The text in UTF-8, without the characters that exceed so many bytes. */
export function clipText(text: string, maxBytes: number): Buffer {
  let kept = "";
  let size = 0;
  for (const char of text) {
    size += Buffer.byteLength(char);
    if (size > maxBytes) break;
    kept += char;
  }
  return Buffer.from(kept);
}

/** Into the `udta` of a `moov`, or into a new one. */
export function addUserData(moov: Buffer, ...added: Buffer[]): Buffer {
  const boxes = boxesIn(moov);
  const udta = boxes.find(({ type }) => type === "udta")?.bytes ?? box("udta");
  const others = boxes.filter(({ type }) => type !== "udta").map(({ bytes }) => bytes);
  return box("moov", ...others, withBoxes(udta, ...added));
}

interface EditedMovie {
  moov: Buffer;
  /** Boxes for the end of the file. */
  behind?: Buffer;
}

/** Changes a finished MP4 whose `moov` stands in front of a `free` box with room for what is added; nothing else moves. */
export async function editMovie(path: string, edit: (moov: Buffer, fileBytes: number) => EditedMovie): Promise<void> {
  const file = await open(path, "r+");
  try {
    const headAt = async (at: number) => {
      const { buffer } = await file.read(Buffer.alloc(8), 0, 8, at);
      return { size: buffer.readUInt32BE(0), type: buffer.toString("latin1", 4) };
    };
    let at = 0;
    let head = await headAt(at);
    while (head.type !== "moov" && head.size >= 8) {
      at += head.size;
      head = await headAt(at);
    }
    const free = await headAt(at + head.size);
    if (head.type !== "moov" || free.type !== "free") throw new Error("no room in front of the sound");
    const { buffer } = await file.read(Buffer.alloc(head.size), 0, head.size, at);
    const { size } = await file.stat();
    const { moov, behind } = edit(buffer, size);
    const left = head.size + free.size - moov.length;
    if (left < 8) throw new Error("no room in front of the sound");
    if (behind) await file.write(behind, 0, behind.length, size);
    await file.write(Buffer.concat([moov, u32(left), Buffer.from("free")]), 0, moov.length + 8, at);
  } finally {
    await file.close();
  }
}
