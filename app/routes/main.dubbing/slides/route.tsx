import type { MetaFunction } from "@remix-run/react";
import { Suspense, startTransition, useCallback, useEffect, useState } from "react";
import { bffPaths, call } from "~/call";
import { noScriptCopy, slidesPageCopy } from "~/copy/pages";
import { slidesCopy } from "~/copy/slides";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { NoScript, Skeleton } from "~/ui/feedback";
import { LoadFailure, lazyPart } from "~/ui/lazy-part";
import type { StudioView } from "~server/bff/generations.server";
import { type OpenedDeck, openDeck } from "./deck";
import { SlidesIntro } from "./intro";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(slidesPageCopy, matches);

const loadStudio = () => import("./slides-studio");
const SlidesStudio = lazyPart(loadStudio);

/** The browser loads and renders this page; the server renders the skeleton. */
export default function Slides() {
  const [opened, setOpened] = useState<(OpenedDeck & StudioView) | null>(null);
  const [failures, setFailures] = useState(0);
  const [attempt, setAttempt] = useState(1);
  const retry = useCallback(() => setAttempt((now) => now + 1), []);
  useEffect(() => {
    let isCancelled = false;
    // In parallel with the draft; rendering reports a failure.
    loadStudio().catch(() => {});
    const open = async () => {
      const view = await call<StudioView>(bffPaths.studio(null));
      const deck = await openDeck(view.voices);
      // Rendering the whole page must not block input.
      if (!isCancelled) startTransition(() => setOpened({ ...view, ...deck }));
    };
    open().catch(() => isCancelled || setFailures(attempt));
    return () => {
      isCancelled = true;
    };
  }, [attempt]);
  if (!opened && failures === attempt) {
    return (
      <div className="mx-auto max-w-page px-4 py-10 md:px-6">
        <LoadFailure failure={{ retry, count: failures, opener: null }} />
      </div>
    );
  }
  if (!opened) return <SlidesSkeleton />;
  return (
    <Suspense fallback={<SlidesSkeleton />}>
      <SlidesStudio {...opened} />
    </Suspense>
  );
}

function SlidesSkeleton() {
  return (
    <div aria-busy="true" className="mx-auto min-h-[100dvh] max-w-page px-4 pb-10 pt-3.5 md:min-h-0 md:px-6 md:pt-6">
      <link as="fetch" crossOrigin="anonymous" href={bffPaths.studio(null)} rel="preload" />
      <h1 className="mb-3.5 font-song text-2xl font-semibold leading-[2.75rem]">{slidesPageCopy.heading}</h1>
      <NoScript link={noScriptCopy.toSquare} sentence={noScriptCopy.slides} to={paths.square} />
      <div className="needs-scripts">
        <SlidesIntro>
          <div aria-label={slidesCopy.opening} role="status">
            <Skeleton className="mx-auto h-11 w-40" />
          </div>
        </SlidesIntro>
      </div>
    </div>
  );
}
