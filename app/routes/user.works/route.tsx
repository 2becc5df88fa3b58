import { data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, type MetaFunction, useLoaderData, useNavigation, useRevalidator } from "@remix-run/react";
import { sentenceFor } from "~/copy/errors";
import { worksCopy as words } from "~/copy/works";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { Button, buttonClass, useRestoredFocus } from "~/ui/button";
import { Notice } from "~/ui/card";
import { LiveRegion, SkeletonList } from "~/ui/feedback";
import { MoreLink } from "~/ui/pager";
import { throwIfLoginExpired } from "~server/bff/json-route.server";
import { type Refusal, statusOf, toRefusal } from "~server/bff/refusal.server";
import { pageSizeMax } from "~server/contract/limits";
import { filterQuery, isNarrowed, parseFilter, toRequest, type WorkFilter, type WorkPage } from "./filter";
import { FilterBar, withShown } from "./filter-bar";
import { Storage } from "./storage";
import { useWorks } from "./use-works";
import { WorkRow } from "./work-row";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => [
  ...pageMeta(words, matches),
  { name: "robots", content: "noindex" },
];

const empty = { page: null, roles: [], storage: null, refusal: null };

/** What the account stores is asked for with the newest works alone. */
export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  const filter = parseFilter(new URL(request.url).searchParams);
  const address = paths.works + filterQuery(filter, { cursor: filter.cursor });
  if (!session.values.token) throw redirect(paths.loginFrom(address));
  const works = upstream.call("workList", toRequest(filter));
  const storage = filter.cursor ? null : upstream.call("storage", {}).catch(withoutStorage);
  const roles = upstream.call("roleList", { page: 1, pageSize: pageSizeMax }).catch(() => ({ list: [] }));
  try {
    const page = await works;
    const named = (await roles).list.map(({ roleId, name }) => ({ roleId, name }));
    return data({ ...empty, filter, page, roles: named, storage: await storage });
  } catch (error) {
    throwIfLoginExpired(error, session, paths.loginExpiredFrom(address));
    const refusal: Refusal = toRefusal(error);
    const status = refusal.code === "unsupported" ? 200 : statusOf(refusal);
    return data({ ...empty, filter, refusal }, { status });
  }
}

const withoutStorage = (error: unknown) => (toRefusal(error).code === "unsupported" ? null : ("failed" as const));

export default function WorksPage() {
  const { filter, page, roles, storage, refusal } = useLoaderData<typeof loader>();
  const address = paths.works + filterQuery(filter, { cursor: filter.cursor });
  const isLoading = useNavigation().location?.pathname === paths.works;
  const isListed = refusal?.code !== "unsupported";
  return (
    <div className="mx-auto grid w-full max-w-[52rem] grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 md:px-6 md:py-12">
      <div>
        <h1 className="font-song text-2xl font-semibold md:text-3xl">{words.heading}</h1>
        {isListed && <p className="mt-3 text-muted">{words.sentence}</p>}
      </div>
      {isListed && <FilterBar filter={filter} roles={withShown(roles, page, filter)} />}
      {refusal ? (
        <Refused refusal={refusal} />
      ) : isLoading ? (
        <SkeletonList label={words.loading} row="h-[74px] rounded-card max-sm:h-[126px]" />
      ) : (
        page && <WorkList filter={filter} key={address} page={page} />
      )}
      {storage && <Storage storage={storage} />}
    </div>
  );
}

function Refused({ refusal }: { refusal: Refusal }) {
  const { revalidate, state } = useRevalidator();
  if (refusal.code === "unsupported") return <Notice {...words.missing} to={paths.clone} />;
  return (
    <Notice heading={words.failed.heading} role="alert" sentence={sentenceFor(refusal)}>
      <Button onClick={revalidate} pending={state === "loading"}>
        {words.failed.action}
      </Button>
    </Notice>
  );
}

function WorkList({ page, filter }: { page: WorkPage; filter: WorkFilter }) {
  const { works, progressOf, next, status, loadMore, change, remove } = useWorks(page, filter);
  const list = useRestoredFocus<HTMLUListElement>();
  if (works.length === 0 && !next) {
    const isFiltered = isNarrowed(filter) || filter.cursor !== "";
    return isFiltered ? (
      <Notice {...words.nothingFound} role="status" to={paths.works} />
    ) : (
      <Notice {...words.empty} to={paths.clone} />
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <LiveRegion>{isNarrowed(filter) || works.length > page.list.length ? words.shown(works.length) : ""}</LiveRegion>
      {filter.cursor && (
        <Link
          className={`${buttonClass({ kind: "quiet" })} justify-self-center`}
          to={paths.works + filterQuery(filter)}
        >
          {words.newest}
        </Link>
      )}
      <h2 className="sr-only">{words.list}</h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" ref={list}>
        {works.map((work) => (
          <WorkRow change={change} key={work.taskId} progress={progressOf(work)} remove={remove} work={work} />
        ))}
      </ul>
      {next && (
        <MoreLink
          onMore={loadMore}
          status={status}
          words={words}
          to={paths.works + filterQuery(filter, { cursor: next })}
        />
      )}
    </div>
  );
}
