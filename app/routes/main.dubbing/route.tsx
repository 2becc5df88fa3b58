import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, type ShouldRevalidateFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Suspense, startTransition, useCallback, useEffect, useRef, useState } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubbingPageCopy, noScriptCopy } from "~/copy/pages";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { NoScript, Skeleton } from "~/ui/feedback";
import { LoadFailure, lazyPart } from "~/ui/lazy-part";
import { readAllowance } from "~server/bff/accounts.server";
import { throwIfLoginExpired } from "~server/bff/answering.server";
import { readDubs } from "~server/bff/generations.server";
import { toRefusal } from "~server/bff/refusal.server";
import { findVoice, readOwnVoices, readSquareVoices, type Voice } from "~server/bff/roles.server";
import type { OpenedDraft } from "./draft";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(dubbingPageCopy, matches);

/** `?role=` adds a line of that role. */
export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  const isLoggedIn = Boolean(session.values.token);
  const query = new URLSearchParams();
  const roleId = new URL(request.url).searchParams.get("role");
  const noVoices: Voice[] = [];
  const voicesOf = (page: Promise<{ voices: Voice[] }>) =>
    page.then(
      ({ voices }) => voices.filter(({ status }) => status === 2),
      () => noVoices,
    );
  try {
    const [own, square, role, records, allowance] = await Promise.all([
      isLoggedIn ? voicesOf(readOwnVoices(upstream, query)) : noVoices,
      voicesOf(readSquareVoices(upstream, query)),
      roleId ? findVoice(upstream, roleId, isLoggedIn).catch(() => null) : null,
      isLoggedIn ? readDubs(upstream, query).catch(refusalOr(session)) : null,
      readAllowance(upstream, session),
    ]);
    return { voices: [...own, ...square], role, records, allowance };
  } catch (error) {
    throwIfLoginExpired(error, session, paths.login);
    throw error;
  }
}

const refusalOr = (session: LoaderFunctionArgs["context"]["session"]) => (error: unknown) => {
  throwIfLoginExpired(error, session, paths.login);
  return { refusal: toRefusal(error) };
};

/** The page updates itself. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname === nextUrl.pathname ? false : defaultShouldRevalidate;

const loadStudio = () => import("./studio");
const Studio = lazyPart(loadStudio);

export default function Dubbing() {
  const { voices, role, records, allowance } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const [opened, setOpened] = useState<OpenedDraft | null>(null);
  const [failures, setFailures] = useState(0);
  const [attempt, setAttempt] = useState(1);
  const retry = useCallback(() => setAttempt((now) => now + 1), []);
  const named = params.get("project");
  const addedRole = params.has("role") ? role : null;
  /** The project that the address without an id stands for while the page is open. */
  const unnamed = useRef<string | null>(null);
  useEffect(() => {
    let isCancelled = false;
    // In parallel with the draft; rendering reports a failure.
    loadStudio().catch(() => {});
    import("./draft").then(
      async ({ openDraft }) => {
        const next = await openDraft(named ?? unnamed.current, voices, addedRole);
        if (!named) unnamed.current = next.projectId;
        // Rendering the whole page must not block input.
        if (!isCancelled) startTransition(() => setOpened(next));
      },
      () => isCancelled || setFailures(attempt),
    );
    return () => {
      isCancelled = true;
    };
  }, [named, voices, addedRole, attempt]);
  if (!opened && failures === attempt) {
    return (
      <div className="mx-auto max-w-page px-4 py-10 md:px-6">
        <LoadFailure failure={{ retry, count: failures, opener: null }} />
      </div>
    );
  }
  if (!opened) return <StudioSkeleton />;
  return (
    <Suspense fallback={<StudioSkeleton />}>
      <Studio allowance={allowance} key={opened.projectId} records={records} voices={voices} {...opened} />
    </Suspense>
  );
}

/** The layout of the page while the draft loads. */
function StudioSkeleton() {
  return (
    <div
      aria-busy="true"
      className="mx-auto grid min-h-[100dvh] max-w-page grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 pb-10 pt-3.5 md:px-6 md:min-h-0 md:pt-6 lg:grid-cols-[minmax(0,1fr)_340px]"
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
