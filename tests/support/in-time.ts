/** Time limit for random histories on a busy machine: histories that would start later are skipped. */
const enoughMs = 90_000;

/** fast-check options: as many histories as the time allows, and at least one. */
export function withinTimeLimit<History extends unknown[]>(act: (...history: History) => Promise<void>) {
  const until = performance.now() + enoughMs;
  return async (...history: History): Promise<void> => {
    if (performance.now() < until) await act(...history);
  };
}
