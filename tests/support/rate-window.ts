import { setTimeout as sleep } from "node:timers/promises";

const neededSeconds = 60;

/** Rate windows begin at multiples of their length: waits for the next one if this one ends soon. */
export async function waitForRateWindow(windowSeconds: number): Promise<void> {
  const leftSeconds = windowSeconds - ((Date.now() / 1000) % windowSeconds);
  if (leftSeconds < neededSeconds) await sleep((leftSeconds + 0.1) * 1000);
}
