import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDiskStore, hasRoom } from "./disk";
import type { MediaStore } from "./store";

let root: string;
let store: MediaStore;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "media-"));
  store = await createDiskStore(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const text = async (key: string, range?: { start: number; end: number }) =>
  (await buffer(await store.open(key, range))).toString();
const parts = () => readdir(join(root, "parts"));

test("a disk has room for an upload, or not", async () => {
  expect(await hasRoom(root)).toBe(true);
  expect(await hasRoom(root, Number.MAX_SAFE_INTEGER)).toBe(false);
});

describe("the disk store", () => {
  test("keeps no file of a truncated body or of one whose size differs from the declared one", async () => {
    await store.put("kept", Buffer.from("old"));
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("half");
        throw new Error("connection lost");
      })(),
    );
    await expect(store.put("kept", broken)).rejects.toThrow("connection lost");
    await expect(store.put("kept", Buffer.from("abc"), 4)).rejects.toMatchObject({ code: "bad-request" });
    expect(await text("kept")).toBe("old");
    expect(await parts()).toEqual([]);
  });

  test("reports a full disk with its own error", async () => {
    const full = new Readable({ read: () => {} });
    full.destroy(Object.assign(new Error("write"), { code: "ENOSPC" }));
    await expect(store.put("big", full)).rejects.toMatchObject({ code: "storage-full", status: 507 });
    expect(await store.size("big")).toBeNull();
  });

  test("deletes temporary files of dead writers at start and keeps those of running ones", async () => {
    const host = hostname().replace(/[^\w-]/g, "_");
    const part = async (name: string, ageMs = 0) => {
      await writeFile(join(root, "parts", name), "x");
      const at = new Date(Date.now() - ageMs);
      await utimes(join(root, "parts", name), at, at);
    };
    await part(`${host}.999999999.dead`);
    await part(`${host}.${process.ppid}.living`);
    await part(`${host}.${process.pid}.own-before`, 1000 * (process.uptime() + 60));
    await part(`${host}.${process.pid}.own`);
    await part("elsewhere.1.young");
    await part("elsewhere.1.old", 2 * 60 * 60 * 1000);
    await mkdir(join(root, "parts", "elsewhere"), { recursive: true });
    await createDiskStore(root);
    expect((await parts()).sort()).toEqual(
      ["elsewhere", "elsewhere.1.young", `${host}.${process.ppid}.living`, `${host}.${process.pid}.own`].sort(),
    );
  });
});
