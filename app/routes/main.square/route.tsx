import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, type MetaFunction, useLoaderData, useNavigation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";
import { sentenceFor } from "~/copy/errors";
import { squareCopy } from "~/copy/square";
import { pageMeta } from "~/features/layout/page";
import { useArrivingPreviews } from "~/features/player/use-previews";
import { toSquareHuman } from "~/features/portrait/picture";
import {
  filterQuery,
  genders,
  isNarrowed,
  pageSize,
  parseFilter,
  type SquareFilter,
  sorts,
} from "~/features/square/filter";
import { paths } from "~/paths";
import { buttonClass, ChipLink } from "~/ui/button";
import { Notice } from "~/ui/card";
import { LiveRegion } from "~/ui/feedback";
import { Select } from "~/ui/fields";
import { KeywordInput } from "~/ui/pager";
import { throwIfLoginExpired } from "~server/bff/json-route.server";
import { statusOf, toRefusal } from "~server/bff/refusal.server";
import { readSquare } from "~server/bff/roles.server";
import { Results } from "./results";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(squareCopy, matches);

export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  const filter = parseFilter(new URL(request.url).searchParams);
  try {
    const { list, total, isUncounted } = await readSquare(upstream, filter, pageSize);
    return data({ filter, humans: list.map(toSquareHuman), total, isUncounted, refusal: null });
  } catch (error) {
    throwIfLoginExpired(error, session, paths.loginExpired);
    const refusal = toRefusal(error);
    return data({ filter, humans: [], total: 0, isUncounted: undefined, refusal }, { status: statusOf(refusal) });
  }
}

export default function Square() {
  const { filter, total, isUncounted, humans, refusal } = useLoaderData<typeof loader>();
  const url = paths.square + filterQuery(filter, filter);
  useArrivingPreviews(humans);
  const isLoading = useNavigation().state === "loading";
  const isFiltered = isNarrowed(filter) || filter.page > 1;
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12">
      <h1 className="font-song text-2xl font-semibold md:text-3xl">{squareCopy.heading}</h1>
      <p className="mt-1 text-muted">{squareCopy.sentence}</p>
      <FilterForm filter={filter} />
      <LiveRegion>{refusal || isLoading || isUncounted ? "" : squareCopy.count(total)}</LiveRegion>
      <div className="mt-5">
        {refusal && <Notice {...squareCopy.failed} sentence={sentenceFor(refusal)} to={url} />}
        {!refusal && humans.length === 0 && (
          <Notice {...(isFiltered ? squareCopy.nothingFound : squareCopy.empty)} to={paths.square} />
        )}
        {humans.length > 0 && <Results filter={filter} humans={humans} key={url} {...{ total, isUncounted }} />}
      </div>
    </div>
  );
}

/** A GET form: with JavaScript, a selection and a pause in typing submit it. */
function FilterForm({ filter }: { filter: SquareFilter }) {
  const form = useRef<HTMLFormElement>(null);
  useSyncFields(form, filter);
  return (
    <>
      <Form
        action={paths.square}
        className="mt-6 flex flex-wrap gap-2 max-md:[&>input]:basis-full"
        onChange={(event) => {
          if (event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
        }}
        ref={form}
        replace={filter.keyword !== ""}
        role="search"
      >
        {filter.category && <input name="category" type="hidden" value={filter.category} />}
        <KeywordInput className="md:w-auto md:flex-1" keyword={filter.keyword} label={squareCopy.search} />
        <noscript>
          <button className={buttonClass()} type="submit">
            {squareCopy.submit}
          </button>
        </noscript>
        <Select isPill aria-label={squareCopy.gender} defaultValue={filter.gender} name="gender">
          {(["", ...genders] as const).map((gender) => (
            <option key={gender} value={gender}>
              {squareCopy.genders[gender]}
            </option>
          ))}
        </Select>
        <Select isPill aria-label={squareCopy.language} defaultValue={filter.language} name="language">
          {languagesWith(filter.language).map(([language, word]) => (
            <option key={language} value={language}>
              {word}
            </option>
          ))}
        </Select>
        <Select isPill aria-label={squareCopy.sort} defaultValue={filter.sort} name="sort">
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {squareCopy.sorts[sort]}
            </option>
          ))}
        </Select>
      </Form>
      <Categories filter={filter} />
    </>
  );
}

/** Follows the URL after going back, without remounting the fields: the focus stays. */
function useSyncFields(form: RefObject<HTMLFormElement>, { gender, language, sort }: SquareFilter) {
  useEffect(() => {
    const values = new Map(Object.entries({ gender, language, sort }));
    for (const field of form.current?.elements ?? []) {
      if (field instanceof HTMLSelectElement) field.value = values.get(field.name) ?? field.value;
    }
  }, [form, gender, language, sort]);
}

function languagesWith(chosen: string): Array<[string, string]> {
  const known = Object.entries(squareCopy.languages);
  return known.some(([language]) => language === chosen) ? known : [...known, [chosen, chosen]];
}

function Categories({ filter }: { filter: SquareFilter }) {
  const known: readonly string[] = squareCopy.categories;
  const isKnown = !filter.category || known.includes(filter.category);
  const all = ["", ...known, ...(isKnown ? [] : [filter.category])];
  return (
    <nav
      aria-label={squareCopy.category}
      className="-mx-4 mt-3 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:px-0"
    >
      <ul className="flex w-max gap-2 md:w-auto md:flex-wrap">
        {all.map((category) => (
          <li key={category}>
            <ChipLink isCurrent={category === filter.category} to={paths.square + filterQuery(filter, { category })}>
              {category || squareCopy.allCategories}
            </ChipLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
