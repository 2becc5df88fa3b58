import { AppError } from "../../errors";

/** Random access to bytes in memory or in a stored file. */
export type ByteSource = ReturnType<typeof sourceOf>;

/** A labelled file: `before`, then the file from byte `from` to its end, then `after`. */
export interface LabelPieces {
  before: Uint8Array;
  from: number;
  after: Uint8Array;
}

/** The place of a label's text in a container. */
export interface LabelPlace {
  at: number;
  text: string;
}

/** The metadata entry: MP4 `moov/udta/meta` with `keys` and `ilst`, WebM `SimpleTag`, FLAC's Vorbis comment. */
export const labelEntryName = "AIGC";

export function sourceOf(bytes: Uint8Array) {
  return {
    size: bytes.length /** Reads a range, both ends inclusive; returns fewer bytes at the end of the file. */,
    read: async (start: number, end: number): Promise<Uint8Array> => bytes.subarray(start, end + 1),
  };
}

export const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The seven fields of GB 45438-2025, annex E, in their order. `Label` "1" means generated. */
export const labelFields = [
  "Label",
  "ContentProducer",
  "ProduceID",
  "ReservedCode1",
  "ContentPropagator",
  "PropagateID",
  "ReservedCode2",
] as const;

export type AigcLabel = Record<(typeof labelFields)[number], string>;

/** Valid labels are far smaller; a larger one counts as damaged. */
export const maxLabelBytes = 8192;
const printableAscii = /^[\x20-\x7e]*$/;

/** The label of a file that this product generates. */
export function createLabel({ producer, produceId }: { producer: string; produceId: string }): AigcLabel {
  return {
    Label: "1",
    ContentProducer: producer,
    ProduceID: produceId,
    ReservedCode1: "",
    ContentPropagator: producer,
    PropagateID: produceId,
    ReservedCode2: "",
  };
}

/** The signed text of a label: every field but the one that carries the signature, in the order of the standard. */
export const signedTextOf = (label: AigcLabel): string =>
  JSON.stringify(labelFields.filter((field) => field !== "ReservedCode1").map((field) => [field, label[field]]));

/** The label with our signature in `ReservedCode1`, the field for a generator's own protection of a label. */
export const signLabel = (label: AigcLabel, sign: (text: string) => string): AigcLabel => ({
  ...label,
  ReservedCode1: sign(signedTextOf(label)),
});

/** JSON in printable ASCII. Throws for a missing field and for other characters. */
export function formatLabel(label: AigcLabel): string {
  if (!isLabel(label)) throw new AppError("failure", "the AI-content label is malformed", { status: 500 });
  const text = JSON.stringify(Object.fromEntries(labelFields.map((field) => [field, label[field]])));
  if (text.length > maxLabelBytes) throw new AppError("failure", "the AI-content label is too long", { status: 500 });
  return text;
}

/** Strict: "damaged" for any other text than a label's. */
export function parseLabel(text: string): AigcLabel | "damaged" {
  try {
    const label: unknown = JSON.parse(text);
    return isLabel(label) ? label : "damaged";
  } catch {
    return "damaged";
  }
}

function isLabel(value: unknown): value is AigcLabel {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== labelFields.length) return false;
  return labelFields.every((field) => {
    const text = (value as Record<string, unknown>)[field];
    return typeof text === "string" && printableAscii.test(text);
  });
}
