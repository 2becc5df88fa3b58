import type { ReactNode } from "react";

interface StepProps {
  ordinal: string | undefined;
  heading: string;
  hint?: string;
  children: ReactNode;
}

/** A numbered part of the card; on phones the number gives its room to the content. */
export function Step({ ordinal, heading, hint, children }: StepProps) {
  return (
    <div className="grid min-w-0 gap-x-3.5 border-t border-dashed border-line py-3.5 first-of-type:border-t-0 md:grid-cols-[28px_minmax(0,1fr)]">
      <span aria-hidden="true" className="hidden font-song text-lg font-semibold text-seal md:block">
        {ordinal}
      </span>
      <div className="min-w-0">
        <h2 className="font-semibold leading-7">
          {heading}
          {hint && <span className="ml-2 text-xs font-normal text-muted">{hint}</span>}
        </h2>
        {children}
      </div>
    </div>
  );
}
