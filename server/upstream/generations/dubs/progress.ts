interface Progress {
  status: 1 | 2 | 3;
  seg_done: number;
  seg_total: number;
}

/** 0–1: the segments of all lines, and a tenth for putting them together. */
export function progressOf({ status, seg_done, seg_total }: Progress): number {
  if (status === 2) return 1;
  return seg_total === 0 ? 0 : (0.9 * seg_done) / seg_total;
}
