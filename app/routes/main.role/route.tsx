import {
  type ClientLoaderFunctionArgs,
  Link,
  type MetaFunction,
  useLoaderData,
  useLocation,
  useSearchParams,
} from "@remix-run/react";
import { Suspense } from "react";
import { refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { noScriptCopy, rolePageCopy } from "~/copy/pages";
import { roleListCopy, roleVisitorCopy } from "~/copy/roles";
import { pageMeta } from "~/features/layout/page";
import { LevelRing } from "~/features/player/level-ring";
import { usePreviews } from "~/features/player/use-previews";
import { HumanCard } from "~/features/portrait/picture";
import type { Human } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { askToLogIn } from "~/state/dialog-requests";
import { buttonClass, insteadOfLink } from "~/ui/button";
import { Notice } from "~/ui/card";
import { LiveRegion, NoScript, Skeleton } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { lazyPart } from "~/ui/lazy-part";
import { readView } from "./role-client";
import { RoleList } from "./role-list";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

const OpenedRole = lazyPart(async () => ({ default: (await import("./opened-role")).OpenedRole }));
const CreateForm = lazyPart(async () => ({ default: (await import("./form/create-form")).CreateForm }));
const EditForm = lazyPart(async () => ({ default: (await import("./form/edit-form")).EditForm }));

export const meta: MetaFunction = ({ matches }) => pageMeta(rolePageCopy, matches);

/** The browser loads and renders this page; the server renders the skeleton. */
export async function clientLoader({ request }: ClientLoaderFunctionArgs) {
  const { search } = new URL(request.url);
  try {
    return { view: (await readView(search)).view, refusal: null };
  } catch (error) {
    return { view: null, refusal: refusalOf(error) };
  }
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
  const canEdit = useHasCall("roleUpdate");
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
  if (view.kind === "one" && canEdit && query.has("edit")) return <EditForm role={view.role} />;
  if (view.kind === "one") return <OpenedRole role={view.role} />;
  if (query.has("new"))
    return <CreateForm knownName={query.get("name") ?? ""} knownVoicePath={query.get("voicePath") ?? ""} />;
  return <RoleList view={view} />;
}

const cards = [1, 2, 3, 4];

/** Placeholder for the list while it loads. */
function PageSkeleton() {
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12">
      <NoScript link={noScriptCopy.toSquare} sentence={noScriptCopy.role} to={paths.square} />
      <div className="needs-scripts">
        <LiveRegion>{rolePageCopy.loading}</LiveRegion>
        <Skeleton className="h-10 w-48" />
        <Skeleton className="mt-3 h-6 w-full max-w-[24em]" />
        <Skeleton className="mt-6 h-11 w-full rounded-full md:max-w-[420px]" />
        <div className="mt-6 human-grid">
          {cards.map((card) => (
            <Skeleton className="h-[300px] rounded-card" key={card} />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The page for visitors: what a digital human is, samples and a login link. */
function Visitor({ humans }: { humans: readonly Human[] }) {
  const { pathname, search } = useLocation();
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12">
      <h1 className="font-song text-2xl font-semibold md:text-3xl">{rolePageCopy.heading}</h1>
      <p className="mt-3 max-w-[42em] text-muted">{roleVisitorCopy.sentence}</p>
      <ul className="mt-5 grid gap-2.5">
        {roleVisitorCopy.points.map((point) => (
          <li className="flex gap-3" key={point}>
            <Icon className="mt-0.5 shrink-0 text-celadon" name="check" />
            {point}
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        <Link
          className={buttonClass({ kind: "primary" })}
          onClick={insteadOfLink(() => askToLogIn("save-role"))}
          to={paths.loginFrom(pathname + search)}
        >
          {roleVisitorCopy.login}
        </Link>
        <Link className={buttonClass({ kind: "quiet" })} to={paths.square}>
          {roleVisitorCopy.toSquare}
        </Link>
      </div>
      {humans.length > 0 && <Samples humans={humans} />}
    </div>
  );
}

function Samples({ humans }: { humans: readonly Human[] }) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  return (
    <>
      <h2 className="mt-10 font-song text-xl font-semibold">{roleVisitorCopy.samples}</h2>
      <ul className="mt-4 human-grid of-four">
        {humans.map((human) => (
          <li key={human.roleId}>
            <HumanCard
              colorMode={colorMode}
              human={human}
              onListen={listen}
              ring={human.avatar && <LevelRing />}
              {...stateOf(human)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
