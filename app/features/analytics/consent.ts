export type Consent = "yes" | "no";

const key = "analytics-consent";

/** What was answered in this browser; null until somebody did, or where it cannot be kept. */
export function readConsent(): Consent | null {
  try {
    const kept = localStorage.getItem(key);
    return kept === "yes" || kept === "no" ? kept : null;
  } catch {
    return null;
  }
}

export function keepConsent(consent: Consent) {
  try {
    localStorage.setItem(key, consent);
  } catch {}
}
