import { voicePickerCopy as words } from "~/copy/square";
import { Icon } from "~/ui/icons/icon";
import { ListenButton } from "~/ui/listen-button";
import type { Voice, VoicePickerProps } from "./voice";

interface VoiceRowProps extends Pick<VoicePickerProps, "onChoose" | "onPreview" | "picture"> {
  voice: Voice;
  isChosen: boolean;
  isSounding: boolean;
}

/** Somebody to choose; the button at the end lets them be heard without choosing. */
export function VoiceRow({ voice, isChosen, isSounding, onChoose, onPreview, picture }: VoiceRowProps) {
  const { name, describe, status, voiceUrl } = voice;
  const note = { 1: words.learning, 2: describe, 3: words.unlearned }[status];
  const label = voiceUrl ? (isSounding ? words.pause : words.listen)(name) : words.noPreview(name);
  return (
    <li className={`flex items-center gap-1 border-b border-line last:border-b-0 ${isChosen ? "rounded bg-wash" : ""}`}>
      <button
        aria-label={words.choose(name)}
        aria-pressed={isChosen}
        className="flex min-h-[68px] min-w-0 flex-1 items-center gap-3 rounded px-2 text-left transition-colors hover:bg-wash disabled:cursor-not-allowed disabled:opacity-60"
        disabled={status !== 2}
        onClick={() => onChoose(voice)}
        type="button"
      >
        <span className="block h-12 w-12 shrink-0 overflow-hidden rounded-full bg-wash">{picture(voice)}</span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{name}</span>
          <span className="block truncate text-xs text-muted">{note}</span>
        </span>
        {isChosen && (
          <span className="flex items-center gap-1 text-xs text-celadon">
            <Icon name="check" size={16} />
            {words.chosen}
          </span>
        )}
      </button>
      <ListenButton
        className="mr-1"
        disabled={!voiceUrl}
        label={label}
        onClick={() => onPreview(voice)}
        sound={isSounding ? "playing" : "silent"}
      />
    </li>
  );
}
