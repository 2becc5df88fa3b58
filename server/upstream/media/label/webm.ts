import { type ByteSource, type LabelPlace, labelEntryName, latin1 } from "./content";

/** Matroska element ids (RFC 9559). */
const ids = {
  segment: 0x18538067,
  tags: 0x1254c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagString: 0x4487,
  cluster: 0x1f43b675,
} as const;

interface Element {
  id: number;
  start: number;
  /** Infinity where the size is unknown. */
  end: number;
}

const maxTagsBytes = 1024 * 1024;
const maxElements = 20_000;

/** The values of the tags `AIGC` of a WebM. Pictures are not searched once a label was found in front of them. */
export async function findWebmLabels(source: ByteSource): Promise<LabelPlace[]> {
  const places: LabelPlace[] = [];
  let at = 0;
  for (let count = 0; at < source.size && count < maxElements; count++) {
    const element = elementAt(await source.read(at, at + 11), 0);
    if (!element) break;
    const [start, end] = [at + element.start, at + element.end];
    if (element.id === ids.cluster && (places.length > 0 || end === Number.POSITIVE_INFINITY)) break;
    if (element.id === ids.tags && end - start <= maxTagsBytes) {
      const bytes = await source.read(start, Math.min(end, source.size) - 1);
      places.push(...labelsOfTags(bytes).map((place) => ({ ...place, at: place.at + start })));
    }
    at = element.id === ids.segment ? start : end;
  }
  return places;
}

/** An element's head: the id keeps its length marker, the size does not. Null if there is none. */
function elementAt(bytes: Uint8Array, at: number): Element | null {
  const id = numberAt(bytes, at, true);
  const size = id && numberAt(bytes, id.next, false);
  return size && { id: id.value, start: size.next, end: size.next + size.value };
}

function numberAt(bytes: Uint8Array, at: number, isId: boolean): { value: number; next: number } | null {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > bytes.length) return null;
  let value = isId ? first : first & (0xff >> length);
  let isUnknown = !isId && value === 0xff >> length;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] as number;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? Number.POSITIVE_INFINITY : value, next: at + length };
}

function* elementsIn(bytes: Uint8Array, start = 0, end = bytes.length): Generator<Element> {
  for (let at = start; at < end; ) {
    const element = elementAt(bytes, at);
    if (!element || element.end > end) return;
    yield element;
    at = element.end;
  }
}

function labelsOfTags(bytes: Uint8Array): LabelPlace[] {
  const within = (id: number, { start, end }: Pick<Element, "start" | "end">) =>
    [...elementsIn(bytes, start, end)].filter((element) => element.id === id);
  const textOf = ({ start, end }: Element) => latin1(bytes.subarray(start, end));
  const simple = within(ids.tag, { start: 0, end: bytes.length }).flatMap((tag) => within(ids.simpleTag, tag));
  return simple
    .filter((tag) => within(ids.tagName, tag).some((name) => textOf(name) === labelEntryName))
    .flatMap((tag) => within(ids.tagString, tag).map((value) => ({ at: value.start, text: textOf(value) })));
}
