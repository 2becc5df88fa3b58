import { useId, useState } from "react";
import { portraitCopy } from "~/copy/portrait";
import { roleFormCopy } from "~/copy/roles";
import { Still } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { Button } from "~/ui/button";
import { RadioGroup, Select } from "~/ui/fields";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { accessories, choices, type PortraitParameters } from "~server/contract/portrait/parameters";
import { randomPortrait } from "~server/contract/portrait/random-portrait";
import type { Fields, Look } from "./fields";
import { PhotoField } from "./photo-field";

interface LookFieldsProps {
  look: Look;
  gender: Fields["gender"];
  onChange(change: Partial<Look>): void;
}

const words = roleFormCopy.look;
const kinds = (["drawn", "photo"] as const).map((value) => ({ value, label: words.kinds[value] }));

/** The face: a random drawing with adjustable parts, or a cropped photo. */
export function LookFields({ look, gender, onChange }: LookFieldsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <RadioGroup label={words.label} onChange={(kind) => onChange({ kind })} options={kinds} value={look.kind} />
      {look.kind === "drawn" ? (
        <Drawn gender={gender} onChange={(portrait) => onChange({ portrait })} portrait={look.portrait} />
      ) : (
        <PhotoField avatar={look.avatar} onPhoto={(photo) => onChange({ photo, avatar: "" })} photo={look.photo} />
      )}
    </div>
  );
}

interface DrawnProps {
  portrait: PortraitParameters;
  gender: Fields["gender"];
  onChange(portrait: PortraitParameters): void;
}

function Drawn({ portrait, gender, onChange }: DrawnProps) {
  const { colorMode } = useTheme();
  const [isTuning, setTuning] = useState(false);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[220px_minmax(0,1fr)]">
      <div aria-label={words.preview} className="aspect-[5/4] overflow-hidden rounded border border-line" role="img">
        <Still colorMode={colorMode} human={{ roleId: "", name: "", portrait }} />
      </div>
      <div className="flex flex-wrap content-center items-center gap-2">
        <Button onClick={() => onChange(randomPortrait(gender))}>
          <ToolIcon name="shuffle" size={18} />
          {words.shuffle}
        </Button>
        <Button aria-expanded={isTuning} kind="quiet" onClick={() => setTuning(!isTuning)}>
          {isTuning ? words.tuneLess : words.tune}
        </Button>
      </div>
      {isTuning && <Tuning onChange={(change) => onChange({ ...portrait, ...change })} portrait={portrait} />}
    </div>
  );
}

const parts = ["hair", "hairColor", "face", "skin", "brows", "eyes", "beard", "collar", "coat", "background"] as const;

interface TuningProps {
  portrait: PortraitParameters;
  onChange(change: Partial<PortraitParameters>): void;
}

/** A select for each part of the drawing. */
function Tuning({ portrait, onChange }: TuningProps) {
  const [accessory = "none"] = portrait.accessories;
  return (
    <div className="grid grid-cols-2 gap-3 tight:grid-cols-1 sm:col-span-2 sm:grid-cols-3 md:grid-cols-4">
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
