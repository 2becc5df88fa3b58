import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { MediaStore } from "../../media/store";
import { type Finding, fail, ok, warn } from "./finding";

const giga = 2 ** 30;
const room = { warn: 5 * giga, fail: giga / 2 };

/** A small file put, read back and deleted. */
export async function examineStorage(store: MediaStore, where: string): Promise<Finding[]> {
  const key = `doctor/${randomUUID()}.bin`;
  const bytes = Buffer.from(key);
  const todo = "the store must give back what it was given";
  await store.put(key, bytes, bytes.length);
  try {
    const back = await buffer(await store.open(key));
    if (!back.equals(bytes)) return [fail("storage", `${where}: other bytes came back`, todo)];
  } finally {
    await store.remove(key);
  }
  if ((await store.size(key)) !== null) return [fail("storage", `${where}: a deleted file is still there`, todo)];
  return [ok("storage", `${where}: put, read, deleted`)];
}

/** Uploads pass through DATA_DIR wherever files end up. */
export async function examineDisk(directory: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(directory);
  return [toRoom(Number(bavail) * Number(bsize), directory)];
}

export function toRoom(free: number, directory: string): Finding {
  const told = `${(free / giga).toFixed(1)} GiB free at ${directory}`;
  if (free < room.fail) return fail("disk", told, "make room: uploads are refused when it is full");
  return free < room.warn ? warn("disk", told, "make room") : ok("disk", told);
}
