/** `value` 0–1; null means that it moves but nobody knows how far. */
export function ProgressBar({ label, value }: { label: string; value: number | null }) {
  const share = value === null ? null : Math.min(1, Math.max(0, value));
  return (
    <div
      aria-label={label}
      aria-valuemax={100}
      aria-valuemin={0}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      className="h-1.5 overflow-hidden rounded-full bg-line"
      role="progressbar"
    >
      <div
        className={`h-full origin-left rounded-full bg-celadon transition-transform ${share === null ? "animate-pulse" : ""}`}
        style={{ transform: `scaleX(${share ?? 0.25})` }}
      />
    </div>
  );
}

/** A grey shape of what is coming; the list around it says it is loading. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-pulse rounded bg-wash ${className}`} />;
}
