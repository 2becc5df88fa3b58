import { type MetaFunction, useSearchParams } from "@remix-run/react";
import { Suspense, startTransition, useCallback, useEffect, useRef, useState } from "react";
import { bffPaths, call } from "~/call";
import { editorCopy } from "~/copy/dubbing";
import { dubbingPageCopy, noScriptCopy } from "~/copy/pages";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { NoScript, Skeleton } from "~/ui/feedback";
import { LoadFailure, lazyPart } from "~/ui/lazy-part";
import { isAccountsDocument } from "~/ui/store";
import type { StudioView } from "~server/bff/generations.server";
import { type OpenedDraft, openDraft } from "./draft";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(dubbingPageCopy, matches);
export const handle = { layout: "wide" };

/** The page opens what this browser has where the part does not load. */
const pullProject = (named: string | null) =>
  import("./projects/pull-project").then(
    (loaded) => loaded.pullProject(named),
    () => null,
  );

const loadStudio = () => import("./studio");
const Studio = lazyPart(loadStudio);

/** The browser loads and renders this page; the server renders the skeleton. `?role=` adds a line of that role. */
export default function Dubbing() {
  const [params] = useSearchParams();
  const [opened, setOpened] = useState<(OpenedDraft & StudioView) | null>(null);
  const [failures, setFailures] = useState(0);
  const [attempt, setAttempt] = useState(1);
  const retry = useCallback(() => setAttempt((now) => now + 1), []);
  const named = params.get("project");
  const hasAccountProjects = useHasCall("projectGet");
  const [askedRoleId] = useState(() => params.get("role"));
  const addsRole = params.has("role");
  const view = useRef<StudioView | null>(null);
  /** The project that the address without an id stands for while the page is open. */
  const unnamed = useRef<string | null>(null);
  useEffect(() => {
    let isCancelled = false;
    // In parallel with the draft; rendering reports a failure.
    loadStudio().catch(() => {});
    const open = async () => {
      // Another project shows the dubs that were made since; without a connection those from before.
      const read = await call<StudioView>(bffPaths.studio(askedRoleId)).catch((error: unknown) => {
        if (view.current) return view.current;
        throw error;
      });
      view.current = read;
      const next = await openDraft(named ?? unnamed.current, read.voices, {
        role: addsRole ? read.role : null,
        pull: hasAccountProjects && isAccountsDocument() ? pullProject : undefined,
      });
      if (!named) unnamed.current = next.projectId;
      // Rendering the whole page must not block input.
      if (!isCancelled) startTransition(() => setOpened({ ...read, ...next }));
    };
    open().catch(() => isCancelled || setFailures(attempt));
    return () => {
      isCancelled = true;
    };
  }, [named, askedRoleId, addsRole, attempt, hasAccountProjects]);
  if (!opened && failures === attempt) {
    return (
      <div className="mx-auto max-w-page px-4 py-10 md:px-6">
        <LoadFailure failure={{ retry, count: failures, opener: null }} />
      </div>
    );
  }
  if (!opened) return <StudioSkeleton address={bffPaths.studio(askedRoleId)} />;
  const { projectId, draft, voices, records, allowance } = opened;
  return (
    <Suspense fallback={<StudioSkeleton />}>
      <Studio {...{ projectId, draft, voices, records, allowance }} key={projectId} />
    </Suspense>
  );
}

/** The largest text of an empty script, painted before the scripts arrive. */
const hint = <p className="script-text text-muted">{editorCopy.placeholder}</p>;

/** The layout of the page while its data, unless they are there, and the draft load. */
function StudioSkeleton({ address }: { address?: string }) {
  return (
    <div
      aria-busy="true"
      className="mx-auto grid min-h-[100dvh] max-w-page grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 pb-10 pt-3.5 md:px-6 md:min-h-0 md:pt-6 lg:grid-cols-[minmax(0,1fr)_340px]"
    >
      {/* The data arrives beside the scripts, not after them. */}
      {address && <link as="fetch" crossOrigin="anonymous" href={address} rel="preload" />}
      <div className="min-w-0">
        <div className="mb-3.5 flex flex-wrap items-center gap-2">
          <h1 className="h-11 w-full font-song text-2xl font-semibold leading-[2.75rem] md:w-auto md:flex-[1_1_21.5rem]">
            {dubbingPageCopy.heading}
          </h1>
          <Skeleton className="needs-scripts h-11 w-72 rounded-full md:w-[21.625rem]" />
        </div>
        <NoScript link={noScriptCopy.toSquare} sentence={noScriptCopy.dubbing} to={paths.square} />
        <div
          aria-label={editorCopy.opening}
          className="needs-scripts rounded-card border border-line bg-surface"
          role="status"
        >
          {["a", "b", "c"].map((key, index) => (
            <div className="flex gap-2.5 border-b border-line px-3 py-5 md:gap-3 md:pl-14 md:pr-[9.5rem]" key={key}>
              <Skeleton className="h-11 w-11 shrink-0" />
              <div className="flex-1">
                <Skeleton className="h-4 w-32" />
                {index === 0 ? hint : <Skeleton className="mt-3 h-5 w-full" />}
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
