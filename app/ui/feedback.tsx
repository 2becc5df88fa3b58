import { type FormHTMLAttributes, type ReactNode, useEffect, useState } from "react";

/** `value` is 0–1; null shows an indeterminate bar. */
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

/** A list that loads: rows of one class. */
export function SkeletonList({ label, row, count = 4, className = "gap-3" }: SkeletonListProps) {
  return (
    <div aria-busy="true" aria-label={label} className={`grid ${className}`} role="status">
      {[..."abcde"].slice(0, count).map((key) => (
        <Skeleton className={row} key={key} />
      ))}
    </div>
  );
}

interface SkeletonListProps {
  label: string;
  row: string;
  count?: 3 | 4 | 5;
  className?: string;
}

/** The button that was pressed may stay in view far below, and cover what appears. */
const scrollToSight = (element: Element | null) => element?.scrollIntoView({ block: "nearest" });

/** Error message, announced and scrolled into view when it appears; renders nothing without a text. */
export function Fault({ children, className = "" }: { children: ReactNode; className?: string }) {
  if (!children) return null;
  return (
    <p className={`scroll-mb-[calc(var(--tabbar)+9rem)] text-seal ${className}`} ref={scrollToSight} role="alert">
      {children}
    </p>
  );
}

export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

/** Speaks its words to screen readers whenever they change; it must stay mounted, or the first change is not heard. */
export function LiveRegion({ children }: { children: string }) {
  return (
    <div aria-atomic="true" aria-live="polite" className="sr-only" role="status">
      {children}
    </div>
  );
}

/** Calls `read` at every interval while `isAwaited` and the page is visible. */
export function usePolling(isAwaited: boolean, read: () => unknown, everyMs: number) {
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setInterval(() => document.visibilityState === "visible" && void read(), everyMs);
    return () => clearInterval(timer);
  }, [isAwaited, read, everyMs]);
}

/** Says what a part of the page needs, in a browser without JavaScript; server-rendered and never hydrated. */
export function NoScript({ sentence, link, to }: { sentence: string; link?: string; to?: string }) {
  return (
    <noscript>
      <p className="mb-4 rounded-card border border-line bg-surface px-4 py-4 text-sm">
        {sentence}
        {link && to && (
          <a className="ml-1 inline-flex min-h-[44px] items-center underline underline-offset-4" href={to}>
            {link}
          </a>
        )}
      </p>
    </noscript>
  );
}

/** A form whose answer is a new page, with or without scripts. While the answer loads, another press sends nothing. */
export function PostForm(props: FormHTMLAttributes<HTMLFormElement>) {
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    // The browser may show this page again with the state it had when it was left.
    const reset = () => setPending(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);
  return (
    <form
      aria-busy={isPending}
      method="post"
      onSubmit={(event) => (isPending ? event.preventDefault() : setPending(true))}
      {...props}
    />
  );
}

/** Whether the text is in the clipboard now; browsers have none without HTTPS, and may refuse. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
