import packed from "./speaker-model.json" with { type: "json" };

/** Parameters learned from recordings of 67 people; NOTICE names their source. Matrices by rows. */
export interface SpeakerModel {
  clip: number;
  mean: Float64Array;
  scale: Float64Array;
  centre: Float64Array;
  projection: Float64Array;
  origin: Float64Array;
  q: Float64Array;
  p: Float64Array;
}

/** Each list is stored as 16-bit integers in base64, with the value of one step. */
const unpack = ({ step, values }: { step: number; values: string }): Float64Array => {
  const bytes = Buffer.from(values, "base64");
  return Float64Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i) * step);
};

export const speakerModel: SpeakerModel = {
  clip: packed.clip,
  mean: unpack(packed.mean),
  scale: unpack(packed.scale),
  centre: unpack(packed.centre),
  projection: unpack(packed.projection),
  origin: unpack(packed.origin),
  q: unpack(packed.q),
  p: unpack(packed.p),
};
