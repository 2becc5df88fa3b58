import { editorCopy } from "~/copy/dubbing";
import { dubbingPageCopy, noScriptCopy } from "~/copy/pages";
import { paths } from "~/paths";
import { NoScript } from "~/ui/no-script";
import { Skeleton } from "~/ui/skeleton";

/** The page in its final shape, before the script is there. */
export function StudioSkeleton() {
  return (
    <div
      aria-busy="true"
      className="mx-auto grid min-h-[100dvh] max-w-page content-start gap-6 px-4 pb-10 pt-3.5 md:px-6 md:min-h-0 md:pt-6 lg:grid-cols-[minmax(0,1fr)_340px]"
    >
      <div className="min-w-0">
        <div className="mb-3.5 flex flex-wrap items-center gap-2">
          <h1 className="h-11 w-full font-song text-2xl font-semibold leading-[2.75rem] md:w-auto md:flex-1">
            {dubbingPageCopy.heading}
          </h1>
          <Skeleton className="needs-scripts h-11 w-72 rounded-full" />
        </div>
        <NoScript link={noScriptCopy.toSquare} sentence={noScriptCopy.dubbing} to={paths.square} />
        <div
          aria-label={editorCopy.opening}
          className="needs-scripts rounded-card border border-line bg-surface"
          role="status"
        >
          {["a", "b", "c"].map((key) => (
            <div className="flex gap-3 border-b border-line px-4 py-5" key={key}>
              <Skeleton className="h-11 w-11 shrink-0" />
              <div className="flex-1">
                <Skeleton className="h-4 w-32" />
                <Skeleton className="mt-3 h-5 w-full" />
              </div>
            </div>
          ))}
          <div className="h-[140px] rounded-b-card bg-wash md:h-[76px]" />
        </div>
      </div>
      <div className="needs-scripts grid content-start gap-3">
        <Skeleton className="h-10 w-28" />
        <Skeleton className="h-[104px] rounded-card" />
        <Skeleton className="h-[104px] rounded-card" />
      </div>
    </div>
  );
}
