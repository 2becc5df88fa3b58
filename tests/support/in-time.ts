/** Random histories take what a busy machine lets them: those that would begin later than this are left out. */
const enoughMs = 90_000;

/** For fast-check: as many of the histories as there is time for, and one at least. */
export function inTime<History extends unknown[]>(act: (...history: History) => Promise<void>) {
  const until = performance.now() + enoughMs;
  return async (...history: History): Promise<void> => {
    if (performance.now() < until) await act(...history);
  };
}
