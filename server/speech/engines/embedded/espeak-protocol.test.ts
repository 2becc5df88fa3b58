import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { type Frame, readFrames, writeFrame } from "./espeak-protocol";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("the eSpeak protocol restores heads and bodies for any chunk boundaries", async () => {
  const source = new PassThrough();
  writeFrame(source, { id: 1 }, Uint8Array.from([1, 2, 3]));
  writeFrame(source, { id: 2, text: "你好" });
  const bytes = source.read() as Buffer;
  for (const size of [1, 7, bytes.length]) {
    const pipe = new PassThrough();
    const received: Array<Frame<unknown>> = [];
    readFrames(pipe, (frame) => received.push(frame));
    for (let at = 0; at < bytes.length; at += size) pipe.write(bytes.subarray(at, at + size));
    await nextTurn();
    await nextTurn();
    expect(received.map(({ head }) => head)).toEqual([{ id: 1 }, { id: 2, text: "你好" }]);
    expect(Array.from(received[0]?.body ?? [])).toEqual([1, 2, 3]);
  }
});

it("the eSpeak protocol closes a pipe that sends invalid bytes", async () => {
  const pipe = new PassThrough();
  const broken = new Promise((resolve) => pipe.on("error", resolve));
  readFrames(pipe, () => {});
  pipe.write(Buffer.alloc(16, 0xff));
  expect(await broken).toBeInstanceOf(Error);
});
