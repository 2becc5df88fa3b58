/** The result of one check. */
export interface Finding {
  about: string;
  state: "ok" | "warn" | "fail";
  message: string;
  /** How to fix the finding. */
  todo?: string;
}

export const ok = (about: string, message: string): Finding => ({ about, state: "ok", message });
export const warn = (about: string, message: string, todo: string): Finding => ({
  about,
  state: "warn",
  message,
  todo,
});
export const fail = (about: string, message: string, todo: string): Finding => ({
  about,
  state: "fail",
  message,
  todo,
});

const patienceMs = 30_000;

/** A check that throws or times out has failed. */
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

/** Connection errors of several addresses have an empty message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  const code = "code" in error ? String(error.code) : "";
  return (error.message || (inner instanceof Error ? inner.message : "") || code || error.name).slice(0, 300);
}
