interface Repeated {
  everyMs: number;
  act(): Promise<void>;
  onError(error: unknown): void;
}

/** Acts now and then every so often, never twice at a time; resolves when the signal came and the last act ended. */
export function repeatUntil(signal: AbortSignal, { everyMs, act, onError }: Repeated): Promise<void> {
  let last = Promise.resolve();
  const run = () => {
    last = last.then(act).catch(onError);
  };
  const timer = setInterval(run, everyMs);
  run();
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(timer);
      last.then(resolve);
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
