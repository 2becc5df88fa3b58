import { useId } from "react";
import { trialCopy } from "~/copy/home";
import type { Human } from "~/features/portrait/human";
import { Picture } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";

interface SamplePanelProps {
  humans: readonly Human[];
  roleId: string | null;
  onRole(human: Human): void;
}

/** The seeded humans as voices to borrow: one tap chooses, and speaks where a preview is ready. */
export function SamplePanel({ humans, roleId, onRole }: SamplePanelProps) {
  const name = useId();
  const { colorMode } = useTheme();
  if (humans.length === 0)
    return <p className="rounded bg-wash px-4 py-6 text-sm text-muted">{trialCopy.voice.noSamples}</p>;
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="sr-only">{trialCopy.voice.samples}</legend>
      <div className="-mx-1 grid auto-cols-[84px] grid-flow-col gap-2 overflow-x-auto p-1 md:grid-flow-row md:grid-cols-6">
        {humans.map((human) => (
          <label
            className="relative flex cursor-pointer flex-col items-center overflow-hidden rounded border border-line text-center transition-colors hover:border-edge has-[:checked]:border-ink has-[:checked]:bg-wash has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-seal"
            key={human.roleId}
          >
            <input
              aria-label={`${human.name}，${human.describe}`}
              checked={human.roleId === roleId}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
              name={name}
              onChange={() => onRole(human)}
              // The chosen one speaks again.
              onClick={() => human.roleId === roleId && onRole(human)}
              type="radio"
              value={human.roleId}
            />
            <span className="block h-16 w-full bg-wash">
              <Picture colorMode={colorMode} human={human} />
            </span>
            <span aria-hidden="true" className="w-full truncate px-1 py-1.5 text-xs">
              {human.name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
