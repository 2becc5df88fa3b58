export interface CircuitBreaker {
  /** Closed: all attempts pass. Open: none. Half-open: one trial attempt. */
  state(): "closed" | "open" | "half-open";
  /** Whether an attempt may start; it must end in `succeed`, `fail` or `release`. */
  allow(): boolean;
  succeed(): void;
  fail(): void;
  /** Ends an attempt without a result, such as a cancelled one. */
  release(): void;
}

export interface CircuitBreakerOptions {
  /** Consecutive failures that open the breaker. */
  failures?: number;
  coolMs?: number;
  now?(): number;
  onChange?(state: "closed" | "open"): void;
}

/** Stops requests after consecutive failures and allows a trial attempt after a cool-down. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { failures = 3, coolMs = 30_000, now = Date.now, onChange } = options;
  let failureCount = 0;
  let openedAt: number | null = null;
  let hasTrial = false;
  const isCool = () => openedAt !== null && now() - openedAt >= coolMs;

  return {
    state: () => (openedAt === null ? "closed" : isCool() ? "half-open" : "open"),
    allow() {
      if (openedAt === null) return true;
      if (!isCool() || hasTrial) return false;
      hasTrial = true;
      return true;
    },
    succeed() {
      const wasOpen = openedAt !== null;
      [failureCount, openedAt, hasTrial] = [0, null, false];
      if (wasOpen) onChange?.("closed");
    },
    fail() {
      failureCount++;
      hasTrial = false;
      if (openedAt === null && failureCount < failures) return;
      const wasClosed = openedAt === null;
      openedAt = now();
      if (wasClosed) onChange?.("open");
    },
    release() {
      hasTrial = false;
    },
  };
}
