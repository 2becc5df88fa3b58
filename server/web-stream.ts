import type { Readable } from "node:stream";

/**
 * Readable.toWeb without its fault in Node 20: when cancelled during a read, that one throws an uncaught exception and ends
 * the process. Cancelling destroys the source.
 */
export function toWebStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks = source.iterator();
  // The reader receives the error from `next()`; a cancelled stream has no reader.
  source.on("error", () => {});
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
