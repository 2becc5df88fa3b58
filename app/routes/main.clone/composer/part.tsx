import type { ReactNode } from "react";

interface PartProps {
  heading: string;
  /** What is missing here. */
  problem?: string | null;
  children: ReactNode;
}

/** One part of the composer under its name. */
export function Part({ heading, problem, children }: PartProps) {
  return (
    <section aria-label={heading} className="border-t border-dashed border-line py-4 first-of-type:border-t-0">
      <h2 className="mb-2 font-song text-lg font-semibold leading-7">{heading}</h2>
      {children}
      {problem && (
        <p className="mt-2 text-xs text-seal" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
