import type { ReactNode } from "react";
import { voicePickerCopy as words } from "~/copy/square";
import { IconButton, ListenButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { useStore } from "~/ui/store";
import type { Voice } from "~server/bff/roles.server";
import { keptVoices, setStar } from "./kept-voices";

export interface VoiceActions {
  onChoose(voice: Voice): void;
  /** Plays the voice's preview, or pauses it while it plays. */
  onPreview(voice: Voice): void;
  picture(voice: Voice): ReactNode;
}

interface VoiceRowsProps extends VoiceActions {
  voices: readonly Voice[];
  chosen: string | null;
  playingId: string | null;
}

export const VoiceRows = ({ voices, chosen, playingId, ...actions }: VoiceRowsProps) =>
  voices.map((voice) => (
    <VoiceRow
      isChosen={voice.roleId === chosen}
      isPlaying={voice.roleId === playingId}
      key={voice.roleId}
      voice={voice}
      {...actions}
    />
  ));

interface VoiceRowProps extends VoiceActions {
  voice: Voice;
  isChosen: boolean;
  isPlaying: boolean;
}

/** One voice, with a star and a button for its preview. */
function VoiceRow({ voice, isChosen, isPlaying, onChoose, onPreview, picture }: VoiceRowProps) {
  const { roleId, name, describe, status, voiceUrl } = voice;
  const isStarred = useStore(keptVoices, (all) => all.some((one) => one.isStarred && one.voice.roleId === roleId));
  const note = { 1: words.learning, 2: describe, 3: words.unlearned }[status];
  const label = voiceUrl ? (isPlaying ? words.pause : words.listen)(name) : words.noPreview(name);
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
        <span className="block h-12 w-12 shrink-0 overflow-hidden rounded-full bg-wash tight:hidden">
          {picture(voice)}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold tight:whitespace-normal" translate="no">
            {name}
          </span>
          <span className="block truncate text-xs text-muted tight:whitespace-normal">{note}</span>
        </span>
        {isChosen && (
          <span className="flex items-center gap-1 text-xs text-celadon">
            <Icon name="check" size={16} />
            {words.chosen}
          </span>
        )}
      </button>
      {(status === 2 || isStarred) && (
        <IconButton
          aria-pressed={isStarred}
          className={isStarred ? "text-gold [&_svg]:fill-current" : "text-muted hover:bg-wash hover:text-ink"}
          label={(isStarred ? words.unstar : words.star)(name)}
          onClick={() => setStar(voice, !isStarred)}
        >
          <ToolIcon name="star" />
        </IconButton>
      )}
      <ListenButton
        className="mr-1"
        disabled={!voiceUrl}
        label={label}
        onClick={() => onPreview(voice)}
        sound={isPlaying ? "playing" : "silent"}
      />
    </li>
  );
}
