import { PassThrough, type Readable } from "node:stream";
import { signatureBytes } from "./file-signature.server";

/** The first bytes, which the stream still has; fewer where all of it, `length`, is less. */
export async function firstBytes(source: Readable, length: number): Promise<Uint8Array> {
  const wanted = Math.min(signatureBytes, length);
  const pieces: Buffer[] = [];
  let size = 0;
  while (size < wanted && !source.readableEnded) {
    if (source.destroyed) throw source.errored ?? new Error("the file broke off");
    const piece: Buffer | null = source.read();
    if (piece) {
      pieces.push(piece);
      size += piece.length;
    } else if (isOver(source)) break;
    else await change(source);
  }
  const head = Buffer.concat(pieces);
  // In the same turn as the last reading: the end is told in the next one, and after it nothing can be put back.
  if (size > 0) source.unshift(head);
  return head.subarray(0, signatureBytes);
}

/** All is read, though nobody was told yet. */
const isOver = (source: Readable) =>
  source instanceof PassThrough && source.writableFinished && source.readableLength === 0;

function change(source: Readable): Promise<void> {
  return new Promise((resolve) => {
    const events = ["readable", "end", "error", "close"];
    const seen = () => {
      for (const event of events) source.off(event, seen);
      resolve();
    };
    for (const event of events) source.on(event, seen);
  });
}
