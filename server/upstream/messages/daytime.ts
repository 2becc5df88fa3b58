import { dayBounds, dayOf } from "../calendar";

const hourSeconds = 3600;
/** Hours of Asia/Shanghai in which a message that nobody waits for may arrive. */
const opens = 9 * hourSeconds;
const closes = 20 * hourSeconds;

/** Seconds until a message may be sent; 0 by day. */
export function secondsUntilDaytime(now: Date): number {
  const ofDay = (now.getTime() - dayBounds(dayOf(now)).from.getTime()) / 1000;
  if (ofDay < opens) return opens - ofDay;
  return ofDay < closes ? 0 : opens + 24 * hourSeconds - ofDay;
}
