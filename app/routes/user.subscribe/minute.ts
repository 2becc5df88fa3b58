/** "2026-11-21 09:30" out of an RFC 3339 time that is Shanghai's already. */
export const minuteOf = (time: string) => time.slice(0, 16).replace("T", " ");
