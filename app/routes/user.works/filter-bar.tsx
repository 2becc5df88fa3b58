import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { worksCopy as words } from "~/copy/works";
import { paths } from "~/paths";
import { buttonClass, ChipLink } from "~/ui/button";
import { Select } from "~/ui/fields";
import { KeywordInput } from "~/ui/pager";
import { filterQuery, kinds, type WorkFilter, type WorkPage } from "./filter";

interface NamedRole {
  roleId: string;
  name: string;
}

/** The account's roles, with those of the works shown and the one that was chosen. */
export function withShown(own: readonly NamedRole[], page: WorkPage | null, { role }: WorkFilter): NamedRole[] {
  const heard = (page?.list ?? []).flatMap(({ people }) => people).filter(({ roleId, name }) => roleId && name);
  const byId = new Map([...own, ...heard].map(({ roleId, name }) => [roleId, name]));
  if (role && !byId.has(role)) byId.set(role, words.otherRole);
  return [...byId].map(([roleId, name]) => ({ roleId, name }));
}

/** A GET form and links: the address holds the filter. */
export function FilterBar({ filter, roles }: { filter: WorkFilter; roles: readonly NamedRole[] }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.elements.namedItem("role");
    // After going back the field stays, and follows the address.
    if (field instanceof HTMLSelectElement) field.value = filter.role;
  }, [filter.role]);
  return (
    <div className="grid gap-2">
      <Form
        action={paths.works}
        className="flex flex-wrap gap-2 max-md:[&>input]:basis-full"
        onChange={({ target, currentTarget }) => target instanceof HTMLSelectElement && currentTarget.requestSubmit()}
        preventScrollReset
        ref={form}
        replace={filter.keyword !== ""}
        role="search"
      >
        {filter.kind && <input name="kind" type="hidden" value={filter.kind} />}
        <KeywordInput className="md:w-auto md:flex-1" keyword={filter.keyword} label={words.search} />
        <Select aria-label={words.role} defaultValue={filter.role} isPill name="role">
          <option value="">{words.everyRole}</option>
          {roles.map(({ roleId, name }) => (
            <option key={roleId} value={roleId}>
              {name}
            </option>
          ))}
        </Select>
        <noscript>
          <button className={buttonClass()} type="submit">
            {words.submit}
          </button>
        </noscript>
      </Form>
      <nav aria-label={words.kind}>
        <ul className="flex flex-wrap gap-x-2">
          {kinds.map((kind) => (
            <li key={kind}>
              <ChipLink isCurrent={kind === filter.kind} to={paths.works + filterQuery(filter, { kind })}>
                {words.kinds[kind]}
              </ChipLink>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
