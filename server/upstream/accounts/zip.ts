import { Zip, ZipPassThrough } from "fflate";

export interface ZipEntry {
  /** With `/` between folders. */
  name: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Streams an archive in constant memory, without compression: sound is compressed already. Not more than 4 GB or 65,535
 * entries. An entry whose first bytes cannot be read is reported to `onSkip`; a later failure ends the archive.
 */
export async function* zip(entries: Iterable<ZipEntry>, onSkip: (name: string) => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const { name, open } of entries) {
    const parts = await readFirst(open).catch(() => null);
    if (!parts) {
      onSkip(name);
      continue;
    }
    const file = new ZipPassThrough(name);
    archive.add(file);
    for await (const part of parts) {
      file.push(part);
      yield* chunks.splice(0);
    }
    file.push(new Uint8Array(0), true);
  }
  archive.end();
  yield* chunks;
}

/** Throws where the first bytes cannot be read. */
async function readFirst(open: ZipEntry["open"]): Promise<AsyncIterable<Uint8Array>> {
  const parts = (await open())[Symbol.asyncIterator]();
  const first = await parts.next();
  return (async function* () {
    if (!first.done) yield first.value;
    for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value;
  })();
}
