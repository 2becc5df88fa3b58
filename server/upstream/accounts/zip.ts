import { crc32 } from "node:zlib";

/** Something in an archive; opened twice, for its sum and for its bytes. */
export interface ZipEntry {
  /** With `/` between folders. */
  name: string;
  /** Bytes. */
  size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;
/** 2.0, the oldest that knows folders. */
const version = 20;
/** The first day the format knows: nobody asks when. */
const noDate = 0x21;
/** Names are UTF-8. */
const flags = 0x800;

/**
 * An archive as it is being read, in constant memory and without compression: sound has none left in it. Without the
 * format's extension for more than 4 GB or 65,535 entries. An entry that cannot be opened is `leftOut`; one that fails
 * after that ends the archive.
 */
export async function* zip(entries: Iterable<ZipEntry>, leftOut: (name: string) => void): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const sum = await sumOf(entry).catch(() => null);
    if (sum === null) {
      leftOut(entry.name);
      continue;
    }
    const header = localHeader(entry, sum);
    yield header;
    for await (const part of await entry.open()) yield part;
    directory.push(centralHeader(entry, sum, offset));
    offset += header.length + entry.size;
  }
  const listed = Buffer.concat(directory);
  yield listed;
  yield endOf({ count: directory.length, size: listed.length, offset });
}

async function sumOf({ size, open }: ZipEntry): Promise<number> {
  let sum = 0;
  let read = 0;
  for await (const part of await open()) {
    sum = crc32(part, sum);
    read += part.length;
  }
  if (read !== size) throw new Error("not as long as it was");
  return sum;
}

/** From the version needed to the length of the extra field: the same in both headers. */
function writeFields(into: Buffer, at: number, { name, size, sum }: { name: string; size: number; sum: number }) {
  into.writeUInt16LE(version, at);
  into.writeUInt16LE(flags, at + 2);
  into.writeUInt16LE(noDate, at + 8);
  into.writeUInt32LE(sum, at + 10);
  into.writeUInt32LE(size, at + 14);
  into.writeUInt32LE(size, at + 18);
  into.writeUInt16LE(Buffer.byteLength(name), at + 22);
}

function localHeader({ name, size }: ZipEntry, sum: number): Uint8Array {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(localSignature, 0);
  writeFields(header, 4, { name, size, sum });
  return Buffer.concat([header, Buffer.from(name)]);
}

function centralHeader({ name, size }: ZipEntry, sum: number, offset: number): Uint8Array {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(centralSignature, 0);
  header.writeUInt16LE(version, 4);
  writeFields(header, 6, { name, size, sum });
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, Buffer.from(name)]);
}

function endOf({ count, size, offset }: { count: number; size: number; offset: number }): Uint8Array {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
