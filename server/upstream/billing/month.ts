/** The product's calendar: Asia/Shanghai, eight hours ahead of UTC all year. */
const aheadMs = 8 * 3_600_000;

const there = (at: Date) => new Date(at.getTime() + aheadMs);

/** `YYYY-MM` */
export const monthOf = (at: Date): string => there(at).toISOString().slice(0, 7);

/** `YYYY-MM-DD` */
export const dayOf = (at: Date): string => there(at).toISOString().slice(0, 10);

/** The first moment of the next month. */
export function monthEnd(at: Date): Date {
  const local = there(at);
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1) - aheadMs);
}

/** First moment of a day given as `YYYY-MM-DD`, and of the day after. */
export function dayBounds(day: string): { from: Date; to: Date } {
  const from = new Date(`${day}T00:00:00+08:00`);
  return { from, to: new Date(from.getTime() + 86_400_000) };
}

/** RFC 3339 with +08:00. */
export const toLocalTime = (at: Date): string => `${there(at).toISOString().slice(0, 19)}+08:00`;

export const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);
