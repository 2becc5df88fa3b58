import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBlobs } from "./blobs";
import { createDiskStore } from "./disk";
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

describe("the disk store", () => {
  test("gives back what it was given, whole or in part", async () => {
    await store.put("speech/ab/one.wav", Buffer.from("0123456789"), 10);
    await store.put("speech/ab/two.wav", Readable.from([Buffer.from("ab"), Buffer.from("cd")]));
    expect(await text("speech/ab/one.wav")).toBe("0123456789");
    expect(await text("speech/ab/one.wav", { start: 3, end: 5 })).toBe("345");
    expect(await text("speech/ab/one.wav", { start: 9, end: 9 })).toBe("9");
    expect(await text("speech/ab/two.wav")).toBe("abcd");
    expect(await store.size("speech/ab/one.wav")).toBe(10);
    expect(await parts()).toEqual([]);
  });

  test("an empty file is a file", async () => {
    await store.put("empty", new Uint8Array(0), 0);
    expect(await store.size("empty")).toBe(0);
    expect(await text("empty")).toBe("");
  });

  test("replaces, removes, and removes again", async () => {
    await store.put("a", Buffer.from("old"));
    await store.put("a", Buffer.from("new"));
    expect(await text("a")).toBe("new");
    await store.remove("a");
    await store.remove("a");
    expect(await store.size("a")).toBeNull();
    await expect(store.open("a")).rejects.toMatchObject({ code: "not-found", status: 404 });
  });

  test.each(["../a", "a/../b", "/etc/passwd", "a//b", "", "a\\b", "a/.b", "a\0", "a b", "x".repeat(201)])(
    "the key %j is refused",
    async (key) => {
      await expect(store.put(key, new Uint8Array(1))).rejects.toThrow("storage key");
      await expect(store.open(key)).rejects.toThrow("storage key");
      await expect(store.size(key)).rejects.toThrow("storage key");
      await expect(async () => store.remove(key)).rejects.toThrow("storage key");
    },
  );

  test("a body that breaks off or is not as long as announced leaves nothing", async () => {
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

  test("a full disk is a clear error", async () => {
    const full = new Readable({ read: () => {} });
    full.destroy(Object.assign(new Error("write"), { code: "ENOSPC" }));
    await expect(store.put("big", full)).rejects.toMatchObject({ code: "failure", status: 507 });
    expect(await store.size("big")).toBeNull();
  });

  test("what killed writers left is collected at the start, what a living one writes is spared", async () => {
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

  test("blobs are bytes by key, null where there are none", async () => {
    const blobs = createBlobs(store);
    expect(await blobs.get("segments/ab12")).toBeNull();
    await blobs.put("segments/ab12", Buffer.from("pcm"));
    expect((await blobs.get("segments/ab12"))?.toString()).toBe("pcm");
    await blobs.remove("segments/ab12");
    expect(await blobs.get("segments/ab12")).toBeNull();
  });
});
