import { type RefObject, useId } from "react";
import { roleFormCopy } from "~/copy/roles";
import { squareCopy } from "~/copy/square";
import { Chip } from "~/ui/button";
import { Field, Input, RadioGroup } from "~/ui/fields";
import { roleDescribeMax, roleNameMax } from "~server/contract/limits";
import { type Faults, type Fields, genders, parseTags, toggleTag } from "./fields";

interface AboutFieldsProps {
  fields: Fields;
  faults: Faults;
  onChange(change: Partial<Fields>): void;
  nameField: RefObject<HTMLInputElement>;
}

const words = roleFormCopy.about;
const genderOptions = genders.map((value) => ({ value, label: words.genders[value] }));
const suggestions = [...words.moods, ...squareCopy.categories];

/** Name, description, gender and tags. */
export function AboutFields({ fields, faults, onChange, nameField }: AboutFieldsProps) {
  const id = useId();
  const tags = parseTags(fields.tags);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Input
        autoComplete="off"
        error={faults.name}
        id={`${id}-name`}
        inputRef={nameField}
        label={words.name}
        maxLength={roleNameMax}
        onChange={(event) => onChange({ name: event.target.value })}
        placeholder={words.namePlaceholder}
        value={fields.name}
      />
      <div>
        <p aria-hidden="true" className="mb-1.5 text-sm font-semibold">
          {words.describe}
        </p>
        <Field
          id={`${id}-describe`}
          label={words.describe}
          maxLength={roleDescribeMax}
          onChange={(event) => onChange({ describe: event.target.value })}
          placeholder={words.describePlaceholder}
          rows={2}
          value={fields.describe}
        />
        <p className="tabular mt-1 text-right text-xs text-muted">{words.describeCount(fields.describe.length)}</p>
      </div>
      <div>
        <p aria-hidden="true" className="mb-1.5 text-sm font-semibold">
          {words.gender}
        </p>
        <RadioGroup
          label={words.gender}
          onChange={(gender) => onChange({ gender, isGenderChosen: true })}
          options={genderOptions}
          value={fields.gender}
        />
      </div>
      <div>
        <Input
          autoComplete="off"
          error={faults.tags}
          id={`${id}-tags`}
          label={words.tags}
          onChange={(event) => onChange({ tags: event.target.value })}
          placeholder={words.tagsPlaceholder}
          value={fields.tags}
        />
        <ul aria-label={words.suggested} className="mt-2 flex flex-wrap gap-2">
          {suggestions.map((tag) => (
            <li key={tag}>
              <Chip aria-pressed={tags.includes(tag)} onClick={() => onChange({ tags: toggleTag(fields.tags, tag) })}>
                {tag}
              </Chip>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
