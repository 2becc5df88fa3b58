/** One clock for every attempt and the reading of the answer; aborts too when the visitor is gone. Clear it when done. */
export function createDeadline(totalMs: number, gone: AbortSignal | undefined) {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException("upstream too slow", "TimeoutError"));
  const leave = () => controller.abort(gone?.reason);
  const timer = setTimeout(expire, totalMs);
  if (gone?.aborted) leave();
  gone?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    abort: (reason: Error) => controller.abort(reason),
    /** Starts the clock anew, for what may last as long as it moves. */
    extend() {
      timer.refresh();
    },
    clear() {
      clearTimeout(timer);
      gone?.removeEventListener("abort", leave);
    },
  };
}
