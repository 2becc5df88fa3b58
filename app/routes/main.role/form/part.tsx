import type { ReactNode } from "react";

interface PartProps {
  ordinal?: string | undefined;
  heading: string;
  hint?: string | undefined;
  fault?: string | undefined;
  children: ReactNode;
}

/** A numbered part of the form with its fault below; on phones the number gives its room to the content. */
export function Part({ ordinal, heading, hint, fault, children }: PartProps) {
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-x-3.5 border-t border-dashed border-line py-5 first:border-t-0 first:pt-1 md:grid-cols-[28px_minmax(0,1fr)]">
      <span aria-hidden="true" className="hidden font-song text-lg font-semibold text-seal md:block">
        {ordinal}
      </span>
      <div className="min-w-0">
        <h2 className="font-semibold leading-7">{heading}</h2>
        {hint && <p className="text-xs text-muted">{hint}</p>}
        <div className="mt-3">{children}</div>
        {fault && (
          <p className="mt-2 text-xs text-seal" role="alert">
            {fault}
          </p>
        )}
      </div>
    </section>
  );
}
