import { type ReactNode, useId } from "react";

interface SectionProps {
  id?: string;
  heading: string;
  sentence?: string;
  children: ReactNode;
}

export function Section({ id, heading, sentence, children }: SectionProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12" id={id}>
      <h2 className="font-song text-2xl font-semibold md:text-3xl" id={headingId}>
        {heading}
      </h2>
      {sentence && <p className="mt-1 text-muted">{sentence}</p>}
      <div className="mt-6">{children}</div>
    </section>
  );
}
