import { SpeechError } from "../engine";

/** The same promise for somebody who may leave: then it is 'cancelled' at once, whatever becomes of the work. */
export async function unlessCancelled<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let leave = () => {};
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(new SpeechError("cancelled", "The caller cancelled"));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
