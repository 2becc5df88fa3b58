import type { SourceClip } from "./source";

/** Pieces no longer than this are worked on at once: the first ones short, for a quick start. */
const growth = [1.2, 2, 3] as const;
const longest = 4;
const windowMs = 8;

/** Cuts a clip at its quietest syllable boundaries, so that sound leaves as early as possible and nothing is heard of it. */
export function cutPieces(clip: SourceClip, alreadyCut: number): SourceClip[] {
  const pieces: SourceClip[] = [];
  let rest = clip;
  while (true) {
    const wanted = growth[alreadyCut + pieces.length] ?? longest;
    const cutMs = rest.samples.length / rest.sampleRate > wanted * 1.6 ? quietestBoundary(rest, wanted) : null;
    if (cutMs === null) return [...pieces, rest];
    const [before, after] = splitAt(rest, cutMs);
    pieces.push(before);
    rest = after;
  }
}

function quietestBoundary({ units, samples, sampleRate }: SourceClip, aroundSeconds: number): number | null {
  const [from, to] = [aroundSeconds * 600, aroundSeconds * 1400];
  const boundaries = units.map(({ start }) => start).filter((start) => start > from && start < to);
  const levelAt = (ms: number) => {
    const centre = Math.round((ms / 1000) * sampleRate);
    const reach = Math.round((windowMs / 1000) * sampleRate);
    return samples.subarray(Math.max(0, centre - reach), centre + reach).reduce((sum, value) => sum + value * value, 0);
  };
  return boundaries.reduce<number | null>(
    (best, start) => (best === null || levelAt(start) < levelAt(best) ? start : best),
    null,
  );
}

function splitAt(clip: SourceClip, cutMs: number): [SourceClip, SourceClip] {
  const cut = Math.round((cutMs / 1000) * clip.sampleRate);
  const first = <T extends { start: number; end: number }>(items: T[]) =>
    items.filter(({ start }) => start < cutMs).map((item) => ({ ...item, end: Math.min(item.end, cutMs) }));
  const second = <T extends { start: number; end: number }>(items: T[]) =>
    items
      .filter(({ end, start }) => start >= cutMs || end > cutMs + 1)
      .filter(({ start }) => start >= cutMs - 1)
      .map((item) => ({ ...item, start: Math.max(0, item.start - cutMs), end: item.end - cutMs }));
  return [
    { ...clip, samples: clip.samples.slice(0, cut), units: first(clip.units), phonemes: first(clip.phonemes) },
    { ...clip, samples: clip.samples.slice(cut), units: second(clip.units), phonemes: second(clip.phonemes) },
  ];
}
