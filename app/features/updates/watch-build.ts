import { paths } from "~/paths";

interface Watching {
  /** The build this page is of. */
  buildId: string;
  intervalMs: number;
  /** Once: there is another build now. */
  onNew(): void;
}

/** Asks at an interval which build is served, while somebody looks at the page; a tab that comes back asks if it is time. */
export function watchBuild({ buildId, intervalMs, onNew }: Watching): () => void {
  let askedAt = Date.now();
  let isOver = false;
  const ask = async () => {
    if (isOver || document.visibilityState !== "visible" || Date.now() - askedAt < intervalMs) return;
    askedAt = Date.now();
    const served = await fetch(paths.build, { cache: "no-store" })
      .then((response) => (response.ok ? (response.json() as Promise<{ buildId?: unknown }>) : null))
      .catch(() => null);
    if (isOver || typeof served?.buildId !== "string" || served.buildId === buildId) return;
    stop();
    onNew();
  };
  // A little often, so that a tab that was hidden when it was time is not late by a whole interval.
  const timer = setInterval(ask, Math.min(intervalMs, 30_000));
  document.addEventListener("visibilitychange", ask);
  const stop = () => {
    isOver = true;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", ask);
  };
  return stop;
}
