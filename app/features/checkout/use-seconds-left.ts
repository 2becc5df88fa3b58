import { useEffect, useState } from "react";

const secondsUntil = (expireAt: number) => Math.max(0, Math.floor(expireAt - Date.now() / 1000));

/** Seconds until `expireAt` (Unix seconds), counted every second; null where nobody said when. */
export function useSecondsLeft(expireAt: number): number | null {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (expireAt <= 0) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 1000);
    return () => clearInterval(timer);
  }, [expireAt]);
  return expireAt > 0 ? secondsUntil(expireAt) : null;
}
