import { type ReactNode, Suspense } from "react";
import { composerCopy } from "~/copy/clone";
import { referenceCopy } from "~/copy/recording";
import type { Voice } from "~/features/voice-picker/voice";
import { Button, IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { lazyPart } from "~/ui/lazy-part";
import { RadioGroup } from "~/ui/radio-group";
import { Skeleton } from "~/ui/skeleton";
import { type Draft, voiceChange, voiceReferences } from "./draft";

const ReferencePanel = lazyPart(async () => ({
  default: (await import("~/features/reference/reference-panel")).ReferencePanel,
}));

const words = composerCopy.voice;
const sources = (["role", "reference"] as const).map((value) => ({ value, label: words.sources[value] }));

interface VoiceFieldProps {
  draft: Draft;
  onChange(change: Partial<Draft>): void;
  onPick(): void;
  onPreview(voice: Voice): void;
  sounding: string | null;
  picture(voice: Voice): ReactNode;
  hush(): void;
}

/** Whose voice: somebody's who is there, or a recording of one's own. */
export function VoiceField({ draft, onChange, hush, ...rest }: VoiceFieldProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <RadioGroup label={words.label} onChange={(from) => onChange({ from })} options={sources} value={draft.from} />
      {draft.from === "role" ? (
        <ChosenVoice voice={draft.voice} {...rest} />
      ) : draft.voicePath ? (
        <KeptRecording onReplace={() => onChange({ voicePath: "" })} />
      ) : (
        <Suspense fallback={<Skeleton className="h-[188px]" />}>
          <ReferencePanel
            onChange={(change) => onChange(voiceChange(change))}
            onPlay={hush}
            value={voiceReferences(draft)}
          />
        </Suspense>
      )}
    </div>
  );
}

type ChosenVoiceProps = Pick<VoiceFieldProps, "onPick" | "onPreview" | "sounding" | "picture"> & {
  voice: Voice | null;
};

function ChosenVoice({ voice, onPick, onPreview, sounding, picture }: ChosenVoiceProps) {
  if (!voice) {
    return (
      <div className="flex min-h-[68px] items-center justify-between gap-3 rounded bg-wash px-4 py-3">
        <span className="text-sm text-muted">{words.none}</span>
        <Button onClick={onPick}>
          <Icon name="person" size={18} />
          {words.pick}
        </Button>
      </div>
    );
  }
  const isSounding = sounding === voice.roleId;
  return (
    <div className="flex min-h-[68px] items-center gap-3 rounded bg-wash px-3 py-2.5">
      <span className="block h-12 w-12 shrink-0 overflow-hidden rounded-full bg-surface">{picture(voice)}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-song text-lg font-semibold leading-6">{voice.name}</span>
        <span className="block truncate text-xs text-muted">{voice.describe}</span>
      </span>
      {voice.voiceUrl && (
        <IconButton
          className={isSounding ? "bg-celadon text-on-celadon" : "text-seal hover:bg-surface"}
          label={(isSounding ? words.pause : words.listen)(voice.name)}
          onClick={() => onPreview(voice)}
        >
          <Icon name={isSounding ? "pause" : "play"} size={18} />
        </IconButton>
      )}
      <Button onClick={onPick}>{words.change}</Button>
    </div>
  );
}

/** A recording of before, of which this browser has only the place. */
export function KeptRecording({ onReplace }: { onReplace(): void }) {
  return (
    <div className="flex min-h-[68px] items-center justify-between gap-3 rounded bg-wash px-4 py-3">
      <span className="flex items-center gap-2 text-sm">
        <Icon className="shrink-0 text-celadon" name="check" size={18} />
        {referenceCopy.reused}
      </span>
      <Button onClick={onReplace}>{referenceCopy.replace}</Button>
    </div>
  );
}
