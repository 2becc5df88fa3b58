import type { ReactNode } from "react";
import { slidesCopy as copy } from "~/copy/slides";
import { useHasCall } from "~/state/capabilities";

/** What the page does, in steps; `children` open a file. The server renders it too, so that it is read at once. */
export function SlidesIntro({ children }: { children: ReactNode }) {
  const hasFilms = useHasCall("videoCreate");
  return (
    <section className="rounded-card border border-dashed border-edge bg-surface px-5 py-10 text-center md:py-16">
      <h2 className="font-song text-xl font-semibold">{copy.emptyHeading}</h2>
      <ol className="mx-auto mt-4 grid max-w-[34rem] list-inside list-decimal gap-1.5 text-left text-muted">
        {copy.emptySteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
        {hasFilms && <li>{copy.filmStep}</li>}
      </ol>
      <div className="mt-6">{children}</div>
      <p className="mx-auto mt-4 max-w-[34rem] text-left text-xs text-muted">{copy.emptyNote(hasFilms)}</p>
    </section>
  );
}
