import { useId } from "react";
import { portraitCopy } from "~/copy/portrait";
import { Select } from "~/ui/fields";
import { accessories, choices, type PortraitParameters } from "~server/portrait/parameters";
import { cloths, hairTones, skinTones } from "~server/portrait/pigments";

interface TunerProps {
  portrait: PortraitParameters;
  onChange(change: Partial<PortraitParameters>): void;
}

/** Colours of skin, hair and clothes, a tap each. */
export function Swatches({ portrait, onChange }: TunerProps) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      <SwatchRow
        colorOf={(name) => skinTones[name].base}
        onChange={(skin) => onChange({ skin })}
        part="skin"
        value={portrait.skin}
        values={choices.skin}
      />
      <SwatchRow
        colorOf={(name) => hairTones[name].base}
        onChange={(hairColor) => onChange({ hairColor })}
        part="hairColor"
        value={portrait.hairColor}
        values={choices.hairColor}
      />
      <SwatchRow
        colorOf={(name) => cloths[name].base}
        onChange={(coat) => onChange({ coat })}
        part="coat"
        value={portrait.coat}
        values={choices.coat}
      />
    </div>
  );
}

interface SwatchRowProps<Value extends string> {
  part: "skin" | "hairColor" | "coat";
  value: Value;
  values: readonly Value[];
  colorOf(value: Value): string;
  onChange(value: Value): void;
}

/** Radio buttons of 44 px with a colour and its name. */
function SwatchRow<Value extends string>({ part, value, values, colorOf, onChange }: SwatchRowProps<Value>) {
  const name = useId();
  const names: Readonly<Record<string, string>> = portraitCopy[part];
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="p-0 text-xs text-muted">{portraitCopy.parts[part]}</legend>
      <div className="-ml-1.5 flex flex-wrap">
        {values.map((one) => (
          <label className="relative grid h-11 w-11 cursor-pointer place-items-center" key={one} title={names[one]}>
            <input
              aria-label={names[one]}
              checked={one === value}
              className="peer absolute inset-0 cursor-pointer appearance-none outline-none"
              name={name}
              onChange={() => onChange(one)}
              type="radio"
            />
            <svg
              aria-hidden="true"
              className="pointer-events-none rounded-full border border-edge peer-checked:[box-shadow:0_0_0_2px_var(--surface),0_0_0_4px_var(--seal)] peer-focus-visible:outline peer-focus-visible:outline-2 peer-focus-visible:outline-offset-4 peer-focus-visible:outline-ink"
              height="28"
              width="28"
            >
              <circle cx="14" cy="14" fill={colorOf(one)} r="14" />
            </svg>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const parts = ["hair", "face", "brows", "eyes", "beard", "collar", "background"] as const;

/** A select for each part without a colour. */
export function Tuning({ portrait, onChange }: TunerProps) {
  const [accessory = "none"] = portrait.accessories;
  return (
    <div className="grid grid-cols-2 gap-3 tight:grid-cols-1 sm:grid-cols-3 md:grid-cols-4">
      {parts.map((part) => (
        <Choice
          key={part}
          label={portraitCopy.parts[part]}
          names={portraitCopy[part]}
          onChange={(value) => onChange({ [part]: value })}
          value={portrait[part]}
          values={choices[part]}
        />
      ))}
      <Choice
        label={portraitCopy.parts.accessories}
        names={portraitCopy.accessories}
        onChange={(value) => onChange({ accessories: accessories.filter((name) => name === value) })}
        value={accessory}
        values={["none", ...accessories]}
      />
      <Choice
        label={portraitCopy.parts.lines}
        names={portraitCopy.lines}
        onChange={(value) => onChange({ lines: value === "2" ? 2 : value === "1" ? 1 : 0 })}
        value={String(portrait.lines)}
        values={["0", "1", "2"]}
      />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  values: readonly string[];
  names: Readonly<Record<string, string>>;
  onChange(value: string): void;
}

function Choice({ label, value, values, names, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label className="text-xs text-muted" htmlFor={id}>
        {label}
      </label>
      <Select id={id} onChange={(event) => onChange(event.target.value)} value={value}>
        {values.map((one) => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </Select>
    </div>
  );
}
