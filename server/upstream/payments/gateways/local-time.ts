const aheadMs = 8 * 3_600_000;

/** `2026-01-02T03:04:05+08:00`, as WeChat Pay wants it. */
export const toOffsetTime = (at: Date): string =>
  `${new Date(at.getTime() + aheadMs).toISOString().slice(0, 19)}+08:00`;

/** `2026-01-02 03:04:05` in Asia/Shanghai, as Alipay wants it. */
export const toWallTime = (at: Date): string => toOffsetTime(at).slice(0, 19).replace("T", " ");

/** From either; null for anything else. */
export function parseLocalTime(text: string): Date | null {
  const [, day, time, zone = "+08:00"] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const at = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(at.getTime()) ? null : at;
}
