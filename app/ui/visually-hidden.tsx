import type { ReactNode } from "react";

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
