import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { MediaFile } from "../../media/files";
import { createBooks } from "./books";

const book = (id: string) => ({
  ...{ title: "山中", author: "", coverId: null },
  sounds: [{ wav: { id } as MediaFile, seconds: 1, chapters: [{ startMs: 0, title: "一" }] }],
});

function setUp() {
  const ends: Array<(fault?: Error) => void> = [];
  const read: string[] = [];
  let files = 0;
  const encode = createBooks({
    files: { read: async () => new Uint8Array(0) },
    toCover: async (bytes) => bytes,
    openFile: async ({ id }) => Readable.from([Buffer.from(id)]),
    async convert(wavs) {
      for await (const piece of wavs) read.push(String(piece));
      await new Promise<void>((resolve, reject) => ends.push((fault) => (fault ? reject(fault) : resolve())));
    },
    temporaryPath: () => `/none/${files++}`,
    patienceMs: 20,
  });
  return { encode, ends, read };
}

const isLate = { code: "timeout", status: 503 };

test("a book that takes long is found by asking again, and is encoded once", async () => {
  const { encode, ends, read } = setUp();
  await expect(encode(book("a"))).rejects.toMatchObject(isLate);
  await expect(encode(book("a"))).rejects.toMatchObject(isLate);
  ends[0]?.();
  expect([await encode(book("a")), await encode(book("a"))]).toEqual(["/none/0", "/none/0"]);
  expect(read).toEqual(["a"]);
});

test("books are encoded one after the other, and one that failed is tried again", async () => {
  const { encode, ends, read } = setUp();
  const [first, second] = [encode(book("a")), encode(book("b"))];
  await expect(Promise.allSettled([first, second])).resolves.toMatchObject([{ reason: isLate }, { reason: isLate }]);
  expect(read).toEqual(["a"]);
  ends[0]?.(new Error("no space"));
  await expect(encode(book("b"))).rejects.toMatchObject(isLate);
  ends[1]?.();
  expect(await encode(book("b"))).toBe("/none/1");
  await expect(encode(book("a"))).rejects.toMatchObject(isLate);
  expect(read).toEqual(["a", "b", "a"]);
});
