import { Form, Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { records as words } from "~/copy/clone";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
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
        <input
          aria-label={words.search}
          className="min-h-[44px] w-full min-w-0 flex-1 rounded-full border border-line bg-surface px-5 text-base placeholder:text-muted hover:border-edge"
          defaultValue={keyword}
          maxLength={100}
          name="keyword"
          placeholder={words.search}
          ref={field}
          type="search"
        />
        <button className={buttonClass()} type="submit">
          {words.submit}
        </button>
      </Form>
      <nav aria-label={words.status} className="mt-1.5">
        <ul className="flex flex-wrap gap-x-2">
          {states.map((status) => (
            <li key={status}>
              <Link
                aria-current={status === filter.status ? "true" : undefined}
                className="group inline-flex min-h-[44px] items-center"
                preventScrollReset
                to={paths.clone + filterQuery(filter, { status })}
              >
                <span className="whitespace-nowrap rounded-full bg-wash px-3.5 py-1.5 text-sm text-muted transition-colors group-hover:text-ink group-aria-[current=true]:bg-ink group-aria-[current=true]:text-paper">
                  {words.statuses[status]}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
