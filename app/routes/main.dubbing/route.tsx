import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { Suspense, startTransition, useCallback, useEffect, useState } from "react";
import { dubbingPageCopy } from "~/copy/pages";
import { pageMeta } from "~/features/layout/page-meta";
import { paths } from "~/paths";
import { lazyPart } from "~/ui/lazy-part";
import { LoadFailure } from "~/ui/load-failure";
import { readAllowance } from "~server/bff/accounts.server";
import { throwIfLoginExpired } from "~server/bff/answering.server";
import { readDubs } from "~server/bff/generations.server";
import { toRefusal } from "~server/bff/refusal.server";
import { findVoice, readOwnVoices, readSquareVoices, type Voice } from "~server/bff/roles.server";
import type { Draft } from "./draft/draft";
import { StudioSkeleton } from "./skeleton";

export { RouteError as ErrorBoundary } from "~/features/layout/route-error";

export const meta: MetaFunction = ({ matches }) => pageMeta(dubbingPageCopy, matches);

/** `?role=` begins with a line of that role. */
export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  const isLoggedIn = Boolean(session.values.token);
  const query = new URLSearchParams();
  const wanted = new URL(request.url).searchParams.get("role");
  const nobody: Voice[] = [];
  const voicesOf = (page: Promise<{ voices: Voice[] }>) =>
    page.then(
      ({ voices }) => voices.filter(({ status }) => status === 2),
      () => nobody,
    );
  try {
    const [own, square, role, records, allowance] = await Promise.all([
      isLoggedIn ? voicesOf(readOwnVoices(upstream, query)) : nobody,
      voicesOf(readSquareVoices(upstream, query)),
      wanted ? findVoice(upstream, wanted, isLoggedIn).catch(() => null) : null,
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

/** The page keeps itself up to date; reading it again would only take time. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname === nextUrl.pathname ? false : defaultShouldRevalidate;

const loadStudio = () => import("./studio");
const Studio = lazyPart(loadStudio);

export default function Dubbing() {
  const { voices, role, records, allowance } = useLoaderData<typeof loader>();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [failures, setFailures] = useState(0);
  const [attempt, setAttempt] = useState(1);
  const retry = useCallback(() => setAttempt((now) => now + 1), []);
  useEffect(() => {
    let isGone = false;
    // It arrives while the draft is being opened; where it does not, drawing it tells.
    loadStudio().catch(() => {});
    import("./draft/open-draft").then(
      async ({ openDraft }) => {
        const opened = await openDraft(voices, role);
        // The whole page is drawn by it: in pieces, so that a tap in between is answered.
        if (!isGone) startTransition(() => setDraft(opened));
      },
      () => isGone || setFailures(attempt),
    );
    return () => {
      isGone = true;
    };
  }, [voices, role, attempt]);
  if (!draft && failures === attempt) {
    return (
      <div className="mx-auto max-w-page px-4 py-10 md:px-6">
        <LoadFailure failure={{ retry, count: failures, opener: null }} />
      </div>
    );
  }
  if (!draft) return <StudioSkeleton />;
  return (
    <Suspense fallback={<StudioSkeleton />}>
      <Studio allowance={allowance} draft={draft} records={records} voices={voices} />
    </Suspense>
  );
}
