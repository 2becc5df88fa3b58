import type { Readable } from "node:stream";

/**
 * What Readable.toWeb makes, without its fault (Node 20): cancelled while a piece is on its way, that one throws where
 * nobody can catch it, and the process ends. Cancelling destroys the source.
 */
export function toWebStream(source: Readable): ReadableStream<Uint8Array> {
  const pieces = source.iterator();
  // Whoever reads learns of it there; one that is cancelled has nobody left to tell.
  source.on("error", () => {});
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
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
