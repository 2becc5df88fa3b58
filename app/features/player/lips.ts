const visemes = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"] as const;

/** One of the 15 mouth positions a timeline speaks of. */
export type Viseme = (typeof visemes)[number];

/** A mouth position and when it is held, in milliseconds. */
export interface Mouthing {
  start: number;
  end: number;
  viseme: Viseme;
}

/** Reads the phonemes of a timeline; what is not one is left out. In the order of time. */
export function parseMouthings(timeline: unknown): Mouthing[] {
  const phonemes = fieldOf(timeline, "phonemes");
  if (!Array.isArray(phonemes)) return [];
  return phonemes.flatMap(toMouthing).sort((a, b) => a.start - b.start);
}

function toMouthing(phoneme: unknown): Mouthing[] {
  const viseme = visemes.find((name) => name === fieldOf(phoneme, "viseme"));
  const start = fieldOf(phoneme, "start");
  const end = fieldOf(phoneme, "end");
  return viseme && typeof start === "number" && typeof end === "number" && end > start ? [{ start, end, viseme }] : [];
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** The mouth at a moment; closed between the sounds. */
export function visemeAt(mouthings: readonly Mouthing[], atMs: number): Viseme {
  let low = 0;
  let high = mouthings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((mouthings[middle]?.start ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  const latest = mouthings[low - 1];
  return latest && atMs < latest.end ? latest.viseme : "sil";
}
