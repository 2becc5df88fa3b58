import { setTimeout as sleep } from "node:timers/promises";

const neededSeconds = 60;

/** Rates are counted in windows that begin at whole multiples of their length: waits for the next one where this one is about to end. */
export async function roomInWindow(windowSeconds: number): Promise<void> {
  const leftSeconds = windowSeconds - ((Date.now() / 1000) % windowSeconds);
  if (leftSeconds < neededSeconds) await sleep((leftSeconds + 0.1) * 1000);
}
