/** A reader of audiobooks (M4B) that shares no code with their writer. */

interface FoundBox {
  type: string;
  body: Buffer;
}

function boxes(bytes: Buffer, from = 0): FoundBox[] {
  const found: FoundBox[] = [];
  for (let at = from; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const [head, size] = short === 1 ? [16, Number(bytes.readBigUInt64BE(at + 8))] : [8, short];
    if (size < head) break;
    found.push({ type: bytes.toString("latin1", at + 4, at + 8), body: bytes.subarray(at + head, at + size) });
    at += size;
  }
  return found;
}

/** The first box at the path; a number in it is where the boxes inside the one before begin. */
function find(bytes: Buffer, ...path: Array<string | number>): Buffer | undefined {
  let [body, from]: [Buffer | undefined, number] = [bytes, 0];
  for (const step of path) {
    if (typeof step === "number") from = step;
    else {
      body = body && boxes(body, from).find(({ type }) => type === step)?.body;
      from = 0;
    }
  }
  return body;
}

/** The titles of the track that the sound's track names as its chapters, with their times in seconds. */
function readTrack(file: Buffer, moov: Buffer): Array<[number, string]> {
  const traks = boxes(moov).filter(({ type }) => type === "trak");
  const id = traks.map(({ body }) => find(body, "tref", "chap")?.readUInt32BE(0)).find(Boolean);
  const trak = traks.find(({ body }) => find(body, "tkhd")?.readUInt32BE(12) === id)?.body;
  const stbl = trak && find(trak, "mdia", "minf", "stbl");
  const [mdhd, stts, stsz, stco] = [
    trak && find(trak, "mdia", "mdhd"),
    ...["stts", "stsz", "stco"].map((name) => stbl && find(stbl, name)),
  ];
  if (!mdhd || !stts || !stsz || !stco) return [];
  let [at, time] = [stco.readUInt32BE(8), 0];
  return Array.from({ length: stsz.readUInt32BE(8) }, (_, i) => {
    const entry: [number, string] = [
      time / mdhd.readUInt32BE(12),
      file.toString("utf8", at + 2, at + 2 + file.readUInt16BE(at)),
    ];
    at += stsz.readUInt32BE(12 + i * 4);
    time += stts.readUInt32BE(12 + i * 8);
    return entry;
  });
}

function readList(chpl: Buffer | undefined): Array<[number, string]> {
  let at = 9;
  return Array.from({ length: chpl?.readUInt8(8) ?? 0 }, () => {
    const length = chpl?.readUInt8(at + 8) ?? 0;
    const entry: [number, string] = [
      Number(chpl?.readBigUInt64BE(at)) / 1e7,
      chpl?.toString("utf8", at + 9, at + 9 + length) ?? "",
    ];
    at += 9 + length;
    return entry;
  });
}

export function readMp4Book(file: Buffer) {
  const moov = find(file, "moov") ?? Buffer.alloc(0);
  const udta = find(moov, "udta") ?? Buffer.alloc(0);
  const metas = boxes(udta).filter(({ type }) => type === "meta");
  const tag = (name: string) =>
    metas
      .map(({ body }) => find(body, 4, "ilst", name, "data"))
      .find((data) => data)
      ?.subarray(8);
  return {
    brand: file.toString("latin1", 8, 12),
    title: tag("©nam")?.toString() ?? null,
    author: tag("©ART")?.toString() ?? null,
    cover: tag("covr") ?? null,
    track: readTrack(file, moov),
    list: readList(find(udta, "chpl")),
  };
}
