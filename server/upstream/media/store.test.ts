import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openBucket } from "../../../tests/support/bucket";
import { createDiskStore } from "./disk";
import { createS3Store } from "./s3";
import { createBlobs, type MediaStore } from "./store";

async function openDisk() {
  const root = await mkdtemp(join(tmpdir(), "media-"));
  return { store: await createDiskStore(root), close: () => rm(root, { recursive: true, force: true }) };
}

const openS3 = (style: "path" | "host") => async () => {
  const { place, dispatcher, close } = await openBucket();
  return { store: createS3Store({ ...place, style, prefix: style === "host" ? "deep/down" : "" }, dispatcher), close };
};

describe.each([
  ["the disk store", openDisk],
  ["the S3 store, path style", openS3("path")],
  ["the S3 store, virtual-host style", openS3("host")],
] as const)("%s", (_name, open) => {
  let store: MediaStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ store, close } = await open());
  });
  afterAll(() => close());
  const text = async (key: string, range?: { start: number; end: number }) =>
    (await buffer(await store.open(key, range))).toString();

  test("returns stored bytes completely or in part", async () => {
    await store.put("speech/ab/one.wav", Buffer.from("0123456789"), 10);
    await store.put("speech/ab/two.wav", Readable.from([Buffer.from("ab"), Buffer.from("cd")]));
    expect(await text("speech/ab/one.wav")).toBe("0123456789");
    expect(await text("speech/ab/one.wav", { start: 3, end: 5 })).toBe("345");
    expect(await text("speech/ab/one.wav", { start: 9, end: 9 })).toBe("9");
    expect(await text("speech/ab/two.wav")).toBe("abcd");
    expect(await store.size("speech/ab/one.wav")).toBe(10);
  });

  test("stores an empty file", async () => {
    await store.put("empty", new Uint8Array(0), 0);
    expect(await store.size("empty")).toBe(0);
    expect(await text("empty")).toBe("");
  });

  test("replaces and removes a file, and accepts a repeated removal", async () => {
    await store.put("a", Buffer.from("old"));
    await store.put("a", Buffer.from("new"));
    expect(await text("a")).toBe("new");
    await store.remove("a");
    await store.remove("a");
    expect(await store.size("a")).toBeNull();
    await expect(store.open("a")).rejects.toMatchObject({ code: "not-found", status: 404 });
  });

  test.each(["../a", "a/../b", "/etc/passwd", "a//b", "", "a\\b", "a/.b", "a\0", "a b", "x".repeat(201)])(
    "refuses the key %j",
    async (key) => {
      await expect(store.put(key, new Uint8Array(1))).rejects.toThrow("storage key");
      await expect(store.open(key)).rejects.toThrow("storage key");
      await expect(store.size(key)).rejects.toThrow("storage key");
      await expect(async () => store.remove(key)).rejects.toThrow("storage key");
    },
  );

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
  });

  test("stores a large file from a stream of unknown length", async () => {
    const pieces = 40;
    const piece = (index: number) => Buffer.alloc(512 * 1024, index);
    await store.put("large.wav", Readable.from(Array.from({ length: pieces }, (_, index) => piece(index))));
    expect(await store.size("large.wav")).toBe(pieces * 512 * 1024);
    expect((await buffer(await store.open("large.wav", { start: 39 * 512 * 1024, end: 40 * 512 * 1024 - 1 })))[0]).toBe(
      39,
    );
  });

  test("keeps the previous file if a large body is truncated", async () => {
    await store.put("large-kept", Buffer.from("old"));
    const broken = Readable.from(
      (async function* () {
        for (let i = 0; i < 40; i++) yield Buffer.alloc(512 * 1024);
        throw new Error("connection lost");
      })(),
    );
    await expect(store.put("large-kept", broken)).rejects.toThrow("connection lost");
    const short = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(512 * 1024)));
    await expect(store.put("large-kept", short, 99)).rejects.toMatchObject({ code: "bad-request" });
    expect(await text("large-kept")).toBe("old");
  });

  test("stores blobs by key and returns null for missing ones", async () => {
    const blobs = createBlobs(store);
    expect(await blobs.get("segments/ab12")).toBeNull();
    await blobs.put("segments/ab12", Buffer.from("pcm"));
    expect((await blobs.get("segments/ab12"))?.toString()).toBe("pcm");
    await blobs.remove("segments/ab12");
    expect(await blobs.get("segments/ab12")).toBeNull();
  });
});

test("a signed link returns the bytes with the given type and name, and a changed link is refused", async () => {
  const { place, dispatcher, close } = await openBucket();
  const store = createS3Store({ ...place, linkSeconds: 60 }, dispatcher);
  await store.put("speech/one.mp3", Buffer.from("sound"));
  const link = (await store.link?.("speech/one.mp3", { mime: "audio/mpeg", fileName: "one.mp3" })) ?? "";
  const answer = await request(link, { dispatcher });
  expect(await answer.body.text()).toBe("sound");
  expect(answer.headers).toMatchObject({
    "content-type": "audio/mpeg",
    "content-disposition": 'attachment; filename="one.mp3"',
  });
  const forged = await request(link.replace("one.mp3?", "two.mp3?"), { dispatcher });
  await forged.body.dump();
  expect(forged.statusCode).toBe(403);
  await close();
});

test("an error about a wrong secret does not contain the secret", async () => {
  const { place, dispatcher, close } = await openBucket();
  const store = createS3Store({ ...place, secretAccessKey: "wrong-secret" }, dispatcher);
  const refused = store.put("a", Buffer.from("a"));
  await expect(refused).rejects.toThrow(/403 \(SignatureDoesNotMatch\) to PUT a/);
  await close();
});

/** The S3 store of a server that answers so. */
async function openFaultyBucket(answer: RequestListener): Promise<MediaStore> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { accessKeyId: "a", secretAccessKey: "b" };
  const place = {
    endpoint,
    region: "",
    bucket: "sounds",
    ...keys,
    style: "path",
    prefix: "",
    linkSeconds: null,
  } as const;
  return createS3Store(place);
}

test("a read of a bucket that hangs ends within nine seconds, over all tries", async () => {
  const store = await openFaultyBucket(() => {});
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const reads = [store.open("a"), store.size("a")].map((read) => read.catch((error: Error) => error.message));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await Promise.all(reads)).toEqual(Array(2).fill("the bucket did not answer within 9 s"));
});

test("bytes that a proxy took in the bucket's place are not stored", async () => {
  const store = await openFaultyBucket((request, response) => void request.resume().on("end", () => response.end()));
  await expect(store.put("a", Buffer.from("one"))).rejects.toThrow("without a tag");
});
