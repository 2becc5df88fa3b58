import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { toWebStream } from "./web-stream";

const piece = Buffer.alloc(64 * 1024, 7);

test("a web stream passes all bytes in order", async () => {
  const pieces = Array.from({ length: 40 }, (_, i) => Buffer.alloc(10_000 + i, i));
  const read = await buffer(toWebStream(Readable.from(pieces)) as never);
  expect(read.equals(Buffer.concat(pieces))).toBe(true);
});

test("an error of the source is passed to the reader", async () => {
  const source = new PassThrough();
  const reader = toWebStream(source).getReader();
  source.write(piece);
  expect((await reader.read()).value).toHaveLength(piece.length);
  source.destroy(new Error("broken"));
  await expect(reader.read()).rejects.toThrow("broken");
});

test("cancelling at any moment destroys the source without an unhandled error", async () => {
  // An uncaught exception fails the run.
  for (let turns = 0; turns < 30; turns++) {
    const source = new Readable({ read: () => {} });
    for (let i = 0; i < 5; i++) source.push(piece);
    const reader = toWebStream(source).getReader();
    const first = reader.read();
    for (let turn = 0; turn < turns % 6; turn++) await Promise.resolve();
    if (turns % 3 === 0) await first;
    const next = reader.read();
    await reader.cancel();
    await Promise.allSettled([first, next]);
    await sleep(0);
    expect(source.destroyed).toBe(true);
  }
});

test("cancelling a stalled stream destroys the source", async () => {
  const source = new PassThrough();
  const reader = toWebStream(source).getReader();
  const waiting = reader.read();
  await reader.cancel();
  expect(source.destroyed).toBe(true);
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test("an error of the source during cancellation is ignored", async () => {
  const source = new Readable({ read: () => {}, destroy: (_, done) => done(new Error("aborted")) });
  await toWebStream(source).cancel();
  await sleep(0);
  expect(source.destroyed).toBe(true);
});
