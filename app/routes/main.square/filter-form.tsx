import { Form, useSubmit } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";
import { squareCopy } from "~/copy/square";
import { type Filter, filterQuery, genders, sorts } from "~/features/square/filter";
import { paths } from "~/paths";
import { buttonClass, ChipLink } from "~/ui/button";
import { SearchInput, Select } from "~/ui/fields";

/** A GET form: with JavaScript, a selection submits it. */
export function FilterForm({ filter }: { filter: Filter }) {
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  useSyncFields(form, filter);
  return (
    <>
      <Form
        action={paths.square}
        className="mt-6 flex flex-wrap gap-2 max-md:[&>input]:basis-[60%]"
        onChange={(event) => {
          if (event.target instanceof HTMLSelectElement) submit(event.currentTarget);
        }}
        ref={form}
        role="search"
      >
        {filter.category && <input name="category" type="hidden" value={filter.category} />}
        <div className="flex w-full min-w-0 gap-2 tight:flex-wrap md:w-auto md:flex-1">
          <SearchInput className="flex-1" defaultValue={filter.keyword} label={squareCopy.search} name="keyword" />
          <button className={buttonClass()} type="submit">
            {squareCopy.submit}
          </button>
        </div>
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
function useSyncFields(form: RefObject<HTMLFormElement>, { keyword, gender, language, sort }: Filter) {
  useEffect(() => {
    const values = new Map(Object.entries({ keyword, gender, language, sort }));
    for (const field of form.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      const value = values.get(field.name);
      if (value !== undefined) field.value = value;
    }
  }, [form, keyword, gender, language, sort]);
}

/** The known languages, plus the one in the URL. */
function languagesWith(chosen: string): Array<[string, string]> {
  const known = Object.entries(squareCopy.languages);
  return known.some(([language]) => language === chosen) ? known : [...known, [chosen, chosen]];
}

function Categories({ filter }: { filter: Filter }) {
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
