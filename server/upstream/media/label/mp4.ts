import { type ByteSource, type LabelPlace, labelEntryName, latin1, viewOf } from "./content";

interface Box {
  type: string;
  /** Start of its content. */
  start: number;
  end: number;
}

/** A film of half an hour has 1.5 MB. */
const maxMoovBytes = 32 * 1024 * 1024;
const maxTopBoxes = 4096;

/** The values of the metadata entry `AIGC` in `moov/udta/meta` (ISO/IEC 14496-12, QuickTime keys and ilst). */
export async function findMp4Labels(source: ByteSource): Promise<LabelPlace[]> {
  const places: LabelPlace[] = [];
  for await (const moov of topBoxes(source)) {
    if (moov.type !== "moov" || moov.end - moov.start > maxMoovBytes) continue;
    const bytes = await source.read(moov.start, moov.end - 1);
    for (const { at, text } of labelsOfMoov(bytes)) places.push({ at: at + moov.start, text });
  }
  return places;
}

async function* topBoxes(source: ByteSource): AsyncGenerator<Box> {
  let at = 0;
  for (let count = 0; at + 8 <= source.size && count < maxTopBoxes; count++) {
    const box = boxAt(await source.read(at, at + 15), 0, source.size - at);
    if (!box) return;
    yield { type: box.type, start: at + box.start, end: at + box.end };
    at += box.end;
  }
}

/** The box at `at`, null for one that does not end before `end`. */
function boxAt(bytes: Uint8Array, at: number, end: number): Box | null {
  const view = viewOf(bytes);
  if (at + 8 > bytes.length) return null;
  const short = view.getUint32(at);
  const isLong = short === 1 && at + 16 <= bytes.length;
  const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
  const head = isLong ? 16 : 8;
  if (size < head || at + size > end) return null;
  return { type: latin1(bytes.subarray(at + 4, at + 8)), start: at + head, end: at + size };
}

function* boxesIn(bytes: Uint8Array, start: number, end: number): Generator<Box> {
  for (let at = start; at + 8 <= end; ) {
    const box = boxAt(bytes, at, end);
    if (!box) return;
    yield box;
    at = box.end;
  }
}

const named = (bytes: Uint8Array, type: string, { start, end }: Pick<Box, "start" | "end">) =>
  [...boxesIn(bytes, start, end)].filter((box) => box.type === type);

function labelsOfMoov(bytes: Uint8Array): LabelPlace[] {
  const metas = named(bytes, "udta", { start: 0, end: bytes.length }).flatMap((udta) => named(bytes, "meta", udta));
  return metas.flatMap((meta) => labelsOfMeta(bytes, meta));
}

function labelsOfMeta(bytes: Uint8Array, meta: Box): LabelPlace[] {
  // ISO writes version and flags before the first box; QuickTime, and some muxers in MP4, do not.
  const isBare = latin1(bytes.subarray(meta.start + 4, meta.start + 8)) === "hdlr";
  const inside = { start: meta.start + (isBare ? 0 : 4), end: meta.end };
  const keyBoxes = named(bytes, "keys", inside);
  const keys = keyBoxes.flatMap(({ start, end }) => [...boxesIn(bytes, start + 8, end)]);
  const names = keys.map(({ start, end }) => latin1(bytes.subarray(start, end)));
  const items = named(bytes, "ilst", inside).flatMap(({ start, end }) => [...boxesIn(bytes, start, end)]);
  return items.flatMap((item) => {
    // The type of an item is the number of its key, from 1.
    const key = viewOf(bytes).getUint32(item.start - 4);
    if (names[key - 1] !== labelEntryName) return [];
    return named(bytes, "data", item).map(({ start, end }) => ({
      at: start + 8,
      text: latin1(bytes.subarray(start + 8, end)),
    }));
  });
}
