export interface Breaker {
  /** Closed: everything passes. Open: nothing. Half-open: one attempt, on which it depends. */
  state(): "closed" | "open" | "half-open";
  /** Whether this attempt may pass; one that may must end in `succeed`, `fail` or `leave`. */
  allow(): boolean;
  succeed(): void;
  fail(): void;
  /** The attempt told nothing, as when its caller left. */
  leave(): void;
}

export interface CircuitBreakerOptions {
  /** In a row. */
  failures?: number;
  coolMs?: number;
  now?(): number;
  onChange?(state: "closed" | "open"): void;
}

/** Keeps requests from what has failed several times in a row, and lets one try after a rest. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): Breaker {
  const { failures = 3, coolMs = 30_000, now = Date.now, onChange } = options;
  let inRow = 0;
  let openedAt: number | null = null;
  let isTrying = false;
  const isCool = () => openedAt !== null && now() - openedAt >= coolMs;

  return {
    state: () => (openedAt === null ? "closed" : isCool() ? "half-open" : "open"),
    allow() {
      if (openedAt === null) return true;
      if (!isCool() || isTrying) return false;
      isTrying = true;
      return true;
    },
    succeed() {
      const wasOpen = openedAt !== null;
      [inRow, openedAt, isTrying] = [0, null, false];
      if (wasOpen) onChange?.("closed");
    },
    fail() {
      inRow++;
      isTrying = false;
      if (openedAt === null && inRow < failures) return;
      const wasClosed = openedAt === null;
      openedAt = now();
      if (wasClosed) onChange?.("open");
    },
    leave() {
      isTrying = false;
    },
  };
}
