import { useId, useState } from "react";
import { roleFormCopy } from "~/copy/roles";
import { Still } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { Button } from "~/ui/button";
import { RadioGroup } from "~/ui/fields";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { type PortraitParameters, toPortraitCode } from "~server/portrait/parameters";
import { type FacedVoice, facesOf, type Look } from "./fields";
import { PhotoField } from "./photo-field";
import { Swatches, Tuning } from "./portrait-tuner";

interface LookFieldsProps {
  look: Look;
  /** The offered faces fit it. */
  voice: FacedVoice;
  onChange(change: Partial<Look>): void;
}

const words = roleFormCopy.look;
const kinds = (["drawn", "photo"] as const).map((value) => ({ value, label: words.kinds[value] }));

/** The face: a drawing, chosen among six and adjustable, or a cropped photo. */
export function LookFields({ look, voice, onChange }: LookFieldsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <RadioGroup label={words.label} onChange={(kind) => onChange({ kind })} options={kinds} value={look.kind} />
      {look.kind === "drawn" ? (
        <Drawn look={look} onChange={onChange} voice={voice} />
      ) : (
        <PhotoField
          avatar={look.avatar}
          face={look.face}
          onFace={(face) => onChange({ face })}
          onPhoto={(photo) => onChange({ photo, avatar: "", face: null })}
          photo={look.photo}
        />
      )}
    </div>
  );
}

function Drawn({ look, voice, onChange }: LookFieldsProps) {
  const [isTuning, setTuning] = useState(false);
  const { colorMode } = useTheme();
  const { portrait, batch } = look;
  const change = (part: Partial<PortraitParameters>) => onChange({ portrait: { ...portrait, ...part } });
  const shuffle = () => {
    const [first = portrait] = facesOf(batch + 1, voice);
    onChange({ batch: batch + 1, portrait: first });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-[240px_minmax(0,1fr)]">
        <div aria-label={words.preview} className="aspect-[5/4] overflow-hidden rounded border border-line" role="img">
          <Still colorMode={colorMode} human={{ roleId: "", name: "", portrait }} />
        </div>
        <Faces faces={facesOf(batch, voice)} onChange={(face) => onChange({ portrait: face })} portrait={portrait} />
      </div>
      <Swatches onChange={change} portrait={portrait} />
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={shuffle}>
          <ToolIcon name="shuffle" size={18} />
          {words.shuffle}
        </Button>
        <Button aria-expanded={isTuning} kind="quiet" onClick={() => setTuning(!isTuning)}>
          {isTuning ? words.tuneLess : words.tune}
        </Button>
      </div>
      {isTuning && <Tuning onChange={change} portrait={portrait} />}
    </div>
  );
}

interface FacesProps {
  faces: readonly PortraitParameters[];
  portrait: PortraitParameters;
  onChange(portrait: PortraitParameters): void;
}

/** Pictures to choose from, as radio buttons. */
function Faces({ faces, portrait, onChange }: FacesProps) {
  const name = useId();
  const { colorMode } = useTheme();
  const chosen = toPortraitCode(portrait);
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="sr-only">{words.faces}</legend>
      <div className="grid grid-cols-3 gap-2">
        {faces.map((face, index) => (
          <label
            className="relative block aspect-[5/4] cursor-pointer overflow-hidden rounded border border-line transition-colors hover:border-edge has-[:checked]:border-seal has-[:checked]:[box-shadow:0_0_0_2px_var(--seal)] has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-seal"
            key={toPortraitCode(face)}
          >
            <input
              aria-label={words.face(index + 1)}
              checked={toPortraitCode(face) === chosen}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
              name={name}
              onChange={() => onChange(face)}
              type="radio"
            />
            <Still colorMode={colorMode} detail="small" human={{ roleId: "", name: "", portrait: face }} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
