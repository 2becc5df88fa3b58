import { toLocalTime } from "../billing/month";

/** 1234 → 12.34 */
export const formatYuan = (fen: number): string =>
  `${fen < 0 ? "-" : ""}${Math.trunc(Math.abs(fen) / 100)}.${String(Math.abs(fen) % 100).padStart(2, "0")}`;

/** For people: minutes in Asia/Shanghai; "-" for never. */
export const formatTime = (at: Date | null): string => (at ? toLocalTime(at).slice(0, 16).replace("T", " ") : "-");

/** For `--json`. */
export const toTime = (at: Date | null): string | null => (at ? toLocalTime(at) : null);

/** Unix seconds as membership tells them, 0 where there never was any. */
export const fromSeconds = (seconds: number): Date | null => (seconds === 0 ? null : new Date(seconds * 1000));
