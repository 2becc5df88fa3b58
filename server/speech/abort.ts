import { SpeechError } from "./engine";

/** Settles as `work` does, or rejects with 'cancelled' as soon as the signal aborts; `work` itself goes on. */
export async function rejectOnAbort<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return work;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new SpeechError("cancelled", "The caller cancelled"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
