import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData, useNavigation } from "@remix-run/react";
import { sentenceFor } from "~/copy/errors";
import { squarePage } from "~/copy/square";
import { pageMeta } from "~/features/layout/page-meta";
import { paths } from "~/paths";
import { Notice } from "~/ui/notice";
import { LiveRegion } from "~/ui/visually-hidden";
import { statusOf, toRefusal } from "~server/bff/refusal.server";
import { throwIfLoginExpired } from "~server/bff/refusal-answer.server";
import { filterQuery, isNarrowed, readFilter } from "./filter";
import { FilterForm } from "./filter-form";
import { HumanList } from "./human-list";
import { Pager } from "./pager";

const pageSize = 24;

export const meta: MetaFunction = ({ matches }) => pageMeta(squarePage, matches);

export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  const filter = readFilter(new URL(request.url).searchParams);
  const { keyword, category, gender, sort, page } = filter;
  try {
    const { list, total } = await upstream.call("squareList", {
      page,
      pageSize,
      sort,
      ...(keyword && { keyword }),
      ...(category && { category }),
      ...(gender && { gender }),
    });
    return data({ filter, humans: list, total, refusal: null });
  } catch (error) {
    throwIfLoginExpired(error, session, paths.login);
    const refusal = toRefusal(error);
    return data({ filter, humans: [], total: 0, refusal }, { status: statusOf(refusal) });
  }
}

export default function Square() {
  const { filter, total } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12">
      <h1 className="font-song text-2xl font-semibold md:text-3xl">{squarePage.heading}</h1>
      <p className="mt-1 text-muted">{squarePage.sentence}</p>
      <FilterForm filter={filter} />
      <LiveRegion>{squarePage.count(total)}</LiveRegion>
      <div className="mt-5">
        <Results />
      </div>
      <Pager filter={filter} last={Math.ceil(total / pageSize)} />
    </div>
  );
}

function Results() {
  const { filter, humans, refusal } = useLoaderData<typeof loader>();
  const { location } = useNavigation();
  const isPending = location?.pathname === paths.square;
  if (refusal) {
    return (
      <Notice {...squarePage.failed} sentence={sentenceFor(refusal)} to={paths.square + filterQuery(filter, filter)} />
    );
  }
  if (humans.length === 0) {
    const words = isNarrowed(filter) || filter.page > 1 ? squarePage.nothingFound : squarePage.empty;
    return <Notice {...words} to={paths.square} />;
  }
  return (
    <>
      <h2 className="sr-only">{squarePage.results}</h2>
      <HumanList humans={humans} isPending={isPending} />
    </>
  );
}
