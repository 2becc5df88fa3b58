import { type ReactNode, Suspense, useState } from "react";
import { composerCopy } from "~/copy/clone";
import { useAccount } from "~/features/account/provider";
import { usePreviews } from "~/features/player/use-previews";
import { Still } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { useHasCall } from "~/state/capabilities";
import { askToLogIn } from "~/state/dialog-requests";
import { Button, IconButton } from "~/ui/button";
import { RadioGroup } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { lazyDialog, lazyPart } from "~/ui/lazy-part";
import type { Voice } from "~server/bff/roles.server";
import { type Draft, voiceChange, voiceReferences } from "./draft";
import { ReferenceField } from "./reference-field";

const VoicePicker = lazyDialog(async () => ({
  default: (await import("~/features/voice-picker/voice-picker")).VoicePicker,
}));
const ExactVoice = lazyPart(async () => ({ default: (await import("~/features/reference/exact-voice")).ExactVoice }));

const words = composerCopy.voice;
const sources = (["role", "reference"] as const).map((value) => ({ value, label: words.sources[value] }));

interface VoiceFieldProps {
  draft: Draft;
  onChange(change: Partial<Draft>): void;
  /** The user's recording is about to play. */
  onPlay(): void;
}

/** The voice: a role from the picker, or a reference. */
export function VoiceField({ draft, onChange, onPlay }: VoiceFieldProps) {
  const { account } = useAccount();
  const { colorMode } = useTheme();
  const canInstall = useHasCall("exactVoice");
  const { listen, stateOf } = usePreviews();
  const [previewed, setPreviewed] = useState<Voice | null>(null);
  const [isPicking, setPicking] = useState(false);
  const playingId = previewed && stateOf(previewed).sound === "playing" ? previewed.roleId : null;
  const preview = (voice: Voice) => {
    setPreviewed(voice);
    listen(voice);
  };
  const picture = (voice: Voice) => <Still colorMode={colorMode} detail="face" human={voice} />;
  const logIn = () => {
    setPicking(false);
    askToLogIn("asked");
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <RadioGroup label={words.label} onChange={(from) => onChange({ from })} options={sources} value={draft.from} />
      {draft.from === "reference" ? (
        <>
          <ReferenceField
            onChange={(change) => onChange(voiceChange(change))}
            onPlay={onPlay}
            onReplace={() => onChange({ voicePath: "" })}
            path={draft.voicePath}
            value={voiceReferences(draft)}
          />
          {canInstall && (
            <Suspense>
              <ExactVoice />
            </Suspense>
          )}
        </>
      ) : draft.voice ? (
        <ChosenVoice
          isPlaying={playingId === draft.voice.roleId}
          onPick={() => setPicking(true)}
          onPreview={preview}
          picture={picture}
          voice={draft.voice}
        />
      ) : (
        <div className="flex min-h-[68px] flex-wrap items-center justify-between gap-3 rounded bg-wash px-4 py-3">
          <span className="text-sm text-muted">{words.none}</span>
          <Button onClick={() => setPicking(true)}>
            <Icon name="person" size={18} />
            {words.pick}
          </Button>
        </div>
      )}
      {isPicking && (
        <Suspense>
          <VoicePicker
            chosen={draft.voice?.roleId ?? null}
            onChoose={(voice) => {
              onChange({ voice, from: "role" });
              setPicking(false);
            }}
            onClose={() => setPicking(false)}
            onLogIn={account.isLogin ? null : logIn}
            onPreview={preview}
            picture={picture}
            playingId={playingId}
          />
        </Suspense>
      )}
    </div>
  );
}

interface ChosenVoiceProps {
  voice: Voice;
  isPlaying: boolean;
  onPick(): void;
  onPreview(voice: Voice): void;
  picture(voice: Voice): ReactNode;
}

function ChosenVoice({ voice, isPlaying, onPick, onPreview, picture }: ChosenVoiceProps) {
  return (
    <div className="flex min-h-[68px] items-center gap-3 rounded bg-wash px-3 py-2.5 tight:flex-wrap">
      <span className="block h-12 w-12 shrink-0 overflow-hidden rounded-full bg-surface">{picture(voice)}</span>
      <span className="min-w-0 flex-1">
        <span
          className="block truncate font-song text-lg font-semibold leading-6 tight:whitespace-normal"
          translate="no"
        >
          {voice.name}
        </span>
        <span className="block truncate text-xs text-muted tight:whitespace-normal">{voice.describe}</span>
      </span>
      {voice.voiceUrl && (
        <IconButton
          className={isPlaying ? "bg-celadon text-on-celadon" : "text-seal hover:bg-surface"}
          label={(isPlaying ? words.pause : words.listen)(voice.name)}
          onClick={() => onPreview(voice)}
        >
          <Icon name={isPlaying ? "pause" : "play"} size={18} />
        </IconButton>
      )}
      <Button onClick={onPick}>{words.change}</Button>
    </div>
  );
}
