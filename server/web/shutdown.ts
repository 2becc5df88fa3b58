const closing = new AbortController();

/** Aborts when the process begins to shut down: /readyz says so, and answers that would last for minutes end. */
export const closingSignal = closing.signal;

/** Call it on SIGTERM, before waiting for the requests in flight. */
export function beginShutdown(): void {
  closing.abort();
}
