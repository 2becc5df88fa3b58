interface Progress {
  status: 1 | 2 | 3;
  seg_done: number;
  seg_total: number;
}

/** 0–1: a tenth for learning the voice, a tenth for encoding, the segments between. */
export function progressOf({ status, seg_done, seg_total }: Progress): number {
  if (status === 2) return 1;
  return seg_total === 0 ? 0 : 0.1 + (0.8 * seg_done) / seg_total;
}
