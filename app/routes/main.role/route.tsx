import {
  type ClientLoaderFunctionArgs,
  type MetaFunction,
  redirect,
  useLoaderData,
  useSearchParams,
} from "@remix-run/react";
import { Suspense } from "react";
import { sentenceFor } from "~/copy/errors";
import { rolePageCopy } from "~/copy/pages";
import { roleListCopy } from "~/copy/roles";
import { pageMeta } from "~/features/layout/page-meta";
import { paths } from "~/paths";
import { lazyPart } from "~/ui/lazy-part";
import { Notice } from "~/ui/notice";
import { PageSkeleton } from "./page-skeleton";
import { readView } from "./role-client";
import { RoleList } from "./role-list";
import { Visitor } from "./visitor";

export { RouteError as ErrorBoundary } from "~/features/layout/route-error";

const OpenedRole = lazyPart(async () => ({ default: (await import("./opened-role")).OpenedRole }));
const CreateForm = lazyPart(async () => ({ default: (await import("./form/create-form")).CreateForm }));
const EditForm = lazyPart(async () => ({ default: (await import("./form/edit-form")).EditForm }));

export const meta: MetaFunction = ({ matches }) => pageMeta(rolePageCopy, matches);

/** This page is made in the browser; the server sends the skeleton. */
export async function clientLoader({ request }: ClientLoaderFunctionArgs) {
  const { search } = new URL(request.url);
  const answer = await readView(search);
  if (answer.ok) return { view: answer.view, refusal: null };
  if (answer.refusal.code === "login-expired") throw redirect(paths.loginExpiredFrom(paths.role + search));
  return { view: null, refusal: answer.refusal };
}
clientLoader.hydrate = true as const;

export const HydrateFallback = PageSkeleton;

export default function RolePage() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Page />
    </Suspense>
  );
}

function Page() {
  const { view, refusal } = useLoaderData<typeof clientLoader>();
  const [query] = useSearchParams();
  if (!view) {
    const isMissing = refusal.code === "not-found";
    const words = isMissing ? roleListCopy.missing : roleListCopy.failed;
    return (
      <div className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12">
        <h1 className="mb-6 font-song text-2xl font-semibold md:text-3xl">{rolePageCopy.heading}</h1>
        <Notice {...words} sentence={sentenceFor(refusal)} to={isMissing ? paths.role : `${paths.role}?${query}`} />
      </div>
    );
  }
  if (view.kind === "visitor") return <Visitor humans={view.humans} />;
  if (view.kind === "one" && query.has("edit")) return <EditForm role={view.role} />;
  if (view.kind === "one") return <OpenedRole role={view.role} />;
  if (query.has("new"))
    return <CreateForm knownName={query.get("name") ?? ""} knownVoicePath={query.get("voicePath") ?? ""} />;
  return <RoleList view={view} />;
}
