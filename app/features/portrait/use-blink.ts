import { useEffect, useState } from "react";
import { closedMs, untilNextBlinkMs } from "./blink";

/** Whether the lids are down just now; never for people who asked for less motion. */
export function useBlink(): boolean {
  const [isClosed, setClosed] = useState(false);
  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const inMs = isClosed ? closedMs : untilNextBlinkMs(Math.random);
    const timer = setTimeout(() => setClosed(!isClosed), inMs);
    return () => clearTimeout(timer);
  }, [isClosed]);
  return isClosed;
}
