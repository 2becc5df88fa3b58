import { useEffect, useState } from "react";

/** The code on its way; a phone that fetches it from another app may have thrown the page away meanwhile. */
export interface SentCode {
  phone: string;
  /** Unix milliseconds from which another may be asked for. */
  resendAt: number;
  demoCode?: string | undefined;
}

const storageKey = "login-code";
const keptMs = 300_000;

export function readSentCode(): SentCode | null {
  try {
    const sent = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as SentCode | null;
    return sent && Date.now() < sent.resendAt + keptMs ? sent : null;
  } catch {
    return null;
  }
}

/** null forgets it. */
export function keepSentCode(sent: SentCode | null) {
  try {
    if (sent) sessionStorage.setItem(storageKey, JSON.stringify(sent));
    else sessionStorage.removeItem(storageKey);
  } catch {}
}

/** Whole seconds until that time, counting down; 0 once it is there. */
export function useCountdown(untilMs: number): number {
  const left = () => Math.max(0, Math.ceil((untilMs - Date.now()) / 1000));
  const [, tick] = useState(0);
  const seconds = left();
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => tick((now) => now + 1), (untilMs - Date.now()) % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  return seconds;
}
