/** A grey shape of what is coming; the list around it says it is loading. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-pulse rounded bg-wash ${className}`} />;
}
