const padTwo = (value: number) => String(value).padStart(2, "0");

/** mm:ss, the player's and the recorder's way of writing time. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  return `${padTwo(Math.floor(whole / 60))}:${padTwo(whole % 60)}`;
}

/** "8 秒", "1 分 20 秒": a length inside a sentence. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(Number.isFinite(seconds) ? seconds : 0));
  if (whole < 60) return `${whole} 秒`;
  return whole % 60 === 0 ? `${whole / 60} 分钟` : `${Math.floor(whole / 60)} 分 ${whole % 60} 秒`;
}

/** "11 月 24 日 10:20" of an RFC 3339 time in its own offset. */
export const formatMoment = (time: string) =>
  `${Number(time.slice(5, 7))} 月 ${Number(time.slice(8, 10))} 日 ${time.slice(11, 16)}`;

/** "2026 年 12 月 27 日": the day of a Unix time in seconds, in Shanghai. */
export function formatDay(seconds: number): string {
  const [year, month, day] = new Date((seconds + 8 * 3600) * 1000).toISOString().slice(0, 10).split("-").map(Number);
  return `${year} 年 ${month} 月 ${day} 日`;
}

/** 50,000. Without the browser's own formatter, whose first use costs a phone tens of milliseconds before the page answers. */
export function formatCount(count: number): string {
  const [whole = "", fraction] = String(count).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction ? `${grouped}.${fraction}` : grouped;
}

/** Fen to yuan with two decimals. */
export const formatYuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`;

/** "340 KB", "1.2 MB": the size of a file. */
export const formatBytes = (bytes: number) =>
  bytes < 2 ** 20 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** 0.75×. */
export const formatSpeed = (speed: number) => `${speed}×`;

/** 138****1234 */
export const maskPhone = (phone: string) => phone.replace(/^(\d{3})\d+(\d{4})$/, "$1****$2");

/** "没有打开：请稍后再试": what it is about, and what is said of it. */
export const formatDetail = (about: string, said: string) => `${about}：${said}`;

/** "已取消，36 字已退回": one thing after the other in one sentence. */
export const joinClauses = (...said: string[]) => said.filter(Boolean).join("，");

/** "沈砚、林小满": each once. */
export const joinNames = (names: readonly string[]) => [...new Set(names)].filter(Boolean).join("、");

/** "12 句 · 345 字 · 刚刚": short facts beside each other. */
export const joinDetails = (...facts: string[]) => facts.filter(Boolean).join(" · ");
