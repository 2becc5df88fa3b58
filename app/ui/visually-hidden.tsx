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
