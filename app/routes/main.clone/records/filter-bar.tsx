import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { cloneRecordsCopy as words } from "~/copy/clone";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { ChipLink } from "~/ui/chip-link";
import { SearchInput } from "~/ui/search-input";
import { type Filter, filterQuery, states } from "../filter";

/** A plain GET form and links: the address says what is shown. */
export function FilterBar({ filter }: { filter: Filter }) {
  const field = useRef<HTMLInputElement>(null);
  const { keyword } = filter;
  useEffect(() => {
    // Going back changes the address under the field.
    if (field.current) field.current.value = keyword;
  }, [keyword]);
  return (
    <>
      <Form action={paths.clone} className="flex gap-2" preventScrollReset role="search">
        {filter.status !== 0 && <input name="status" type="hidden" value={filter.status} />}
        <SearchInput defaultValue={keyword} label={words.search} name="keyword" ref={field} />
        <button className={buttonClass()} type="submit">
          {words.submit}
        </button>
      </Form>
      <nav aria-label={words.status} className="my-1.5">
        <ul className="flex flex-wrap gap-x-2">
          {states.map((status) => (
            <li key={status}>
              <ChipLink isCurrent={status === filter.status} to={paths.clone + filterQuery(filter, { status })}>
                {words.statuses[status]}
              </ChipLink>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
