/** What the doctor found out about one thing. */
export interface Finding {
  about: string;
  state: "ok" | "warn" | "fail";
  told: string;
  /** What to do about it. */
  todo?: string;
}

export const ok = (about: string, told: string): Finding => ({ about, state: "ok", told });
export const warn = (about: string, told: string, todo: string): Finding => ({ about, state: "warn", told, todo });
export const fail = (about: string, told: string, todo: string): Finding => ({ about, state: "fail", told, todo });

const patienceMs = 30_000;

/** A check that throws or never ends has failed like any other. */
export async function examined(
  about: string,
  todo: string,
  check: (signal: AbortSignal) => Promise<Finding[]>,
): Promise<Finding[]> {
  const patience = new AbortController();
  const late = new Promise<never>((_, reject) => {
    patience.signal.addEventListener("abort", () => reject(new Error(`no answer within ${patienceMs / 1000} s`)));
  });
  const timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    return await Promise.race([check(patience.signal), late]);
  } catch (error) {
    return [fail(about, reasonOf(error), todo)];
  } finally {
    clearTimeout(timer);
  }
}

/** Connection errors of several addresses say nothing themselves. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  const code = "code" in error ? String(error.code) : "";
  return (error.message || (inner instanceof Error ? inner.message : "") || code || error.name).slice(0, 300);
}
