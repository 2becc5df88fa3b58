import { noScriptCopy, rolePageCopy } from "~/copy/pages";
import { paths } from "~/paths";
import { NoScript } from "~/ui/no-script";
import { Skeleton } from "~/ui/skeleton";
import { LiveRegion } from "~/ui/visually-hidden";

const cards = [1, 2, 3, 4];

/** The shape of the list while the browser makes it. */
export function PageSkeleton() {
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12">
      <NoScript link={noScriptCopy.toSquare} sentence={noScriptCopy.role} to={paths.square} />
      <div className="needs-scripts">
        <LiveRegion>{rolePageCopy.loading}</LiveRegion>
        <Skeleton className="h-10 w-48" />
        <Skeleton className="mt-3 h-6 w-full max-w-[24em]" />
        <div className="mt-6 flex gap-2">
          <Skeleton className="h-11 flex-1 rounded-full" />
          <Skeleton className="h-11 w-20 rounded-full" />
        </div>
        <div className="mt-6 grid grid-cols-2 gap-3 tight:grid-cols-1 md:grid-cols-3 md:gap-4 lg:grid-cols-4">
          {cards.map((card) => (
            <Skeleton className="h-[300px] rounded-card" key={card} />
          ))}
        </div>
      </div>
    </div>
  );
}
