/** The product's calendar is Asia/Shanghai: eight hours ahead of UTC all year. */
const offsetMs = 8 * 3_600_000;

const toLocal = (at: Date) => new Date(at.getTime() + offsetMs);

/** `YYYY-MM-DD` */
export const dayOf = (at: Date): string => toLocal(at).toISOString().slice(0, 10);

/** First moment of a day given as `YYYY-MM-DD`, and of the day after. */
export function dayBounds(day: string): { from: Date; to: Date } {
  const from = new Date(`${day}T00:00:00+08:00`);
  return { from, to: new Date(from.getTime() + 86_400_000) };
}

/** RFC 3339, `2026-01-02T03:04:05+08:00`. */
export const toLocalTime = (at: Date): string => `${toLocal(at).toISOString().slice(0, 19)}+08:00`;

/** `2026-01-02 03:04:05` */
export const toWallTime = (at: Date): string => toLocalTime(at).slice(0, 19).replace("T", " ");

/** Reads either form, or RFC 3339 with another offset; null for anything else. */
export function parseLocalTime(text: string): Date | null {
  const [, day, time, zone = "+08:00"] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const at = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Unix seconds, rounded down. */
export const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

const hourSeconds = 3600;
const dayOpens = 9 * hourSeconds;
const dayCloses = 20 * hourSeconds;

/** Seconds until a message that is not urgent may arrive: from 9:00 to 20:00 in Shanghai; 0 by day. */
export function secondsUntilDaytime(now: Date): number {
  const ofDay = (now.getTime() - dayBounds(dayOf(now)).from.getTime()) / 1000;
  if (ofDay < dayOpens) return dayOpens - ofDay;
  return ofDay < dayCloses ? 0 : dayOpens + 24 * hourSeconds - ofDay;
}
