import { Suspense, useEffect, useId, useRef, useState } from "react";
import { roleFormCopy, voiceDesignCopy } from "~/copy/roles";
import { usePlayer } from "~/features/player/provider";
import { chosenReference, type Reference, type References, transcribeSound } from "~/features/reference/reference";
import { ReferencePanel } from "~/features/reference/reference-panel";
import type { useOneReading } from "~/features/reference/use-one-reading";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Button, IconButton } from "~/ui/button";
import { Field } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { lazyPart } from "~/ui/lazy-part";
import { isProvable } from "~server/contract/limits";
import { DesignField, type VoiceDesign } from "./design-field";

const ExactVoice = lazyPart(async () => ({ default: (await import("~/features/reference/exact-voice")).ExactVoice }));

/** The voice: an uploaded recording, or a reference in this browser. */
export interface Voice {
  /** `voicePath` of a clone or trial; "" for a new reference. */
  known: string;
  references: References;
  /** Text of the uploaded file. */
  transcript: string;
  /** A designed voice is asked for instead of a recording. */
  isDesigned: boolean;
  design: VoiceDesign | null;
}

interface VoiceFieldsProps {
  voice: Voice;
  onChange(change: Partial<Voice>): void;
  onPlay(): void;
  /** The sentence that is reference, consent and proof in one. */
  reading: ReturnType<typeof useOneReading>;
}

/** The recording was read from a prompt, so that its first sentence is the consent. */
export const isPromptRead = ({ known, isDesigned, references }: Voice) =>
  !known && !isDesigned && chosenReference(references)?.promptId !== undefined;

const words = roleFormCopy.voice;

/** A recording, or a designed voice where the upstream designs voices. */
export function VoiceFields(props: VoiceFieldsProps) {
  const { voice, onChange } = props;
  const canDesign = useHasCall("voiceDesigns") && !voice.known;
  if (!canDesign) return <RecordingFields {...props} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {voice.isDesigned ? (
        <DesignField design={voice.design} onChange={(design) => onChange({ design })} />
      ) : (
        <RecordingFields {...props} />
      )}
      <Button
        className="-ml-4 justify-self-start"
        kind="quiet"
        onClick={() => onChange({ isDesigned: !voice.isDesigned })}
      >
        {voice.isDesigned ? voiceDesignCopy.stop : voiceDesignCopy.start}
      </Button>
    </div>
  );
}

function RecordingFields({ voice, onChange, onPlay, reading }: VoiceFieldsProps) {
  const id = useId();
  const hasProofs = useHasCall("proofPrompt");
  const canInstall = useHasCall("exactVoice");
  const { upload, source } = voice.references;
  const isListening = useTranscript(
    !voice.known && source === "upload" ? upload : null,
    voice.transcript,
    (transcript) => onChange({ transcript }),
  );
  if (voice.known) return <KnownRecording onReplace={() => onChange({ known: "" })} voicePath={voice.known} />;
  const { references } = voice;
  const quality = chosenReference(references)?.quality;
  const isShort = hasProofs && quality && quality.verdict !== "refused" && !isProvable(quality);
  const needsTranscript = references.source === "upload" && references.upload !== null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ReferencePanel
        isLong={hasProofs}
        onChange={(change) => onChange({ references: { ...references, ...change } })}
        onPlay={onPlay}
        onRecord={(reference) => void reading.take(reference)}
        sentence={reading.sentence ?? undefined}
        value={references}
      />
      {isShort && <p className="text-xs text-muted">{words.short}</p>}
      {canInstall && (
        <Suspense>
          <ExactVoice />
        </Suspense>
      )}
      {needsTranscript && (
        <div>
          <p className="mb-1.5 text-sm">
            <span aria-hidden="true">{words.transcript}</span>
            <span className="ml-2 text-xs text-muted" role="status">
              {isListening ? words.transcribing : words.transcriptHint}
            </span>
          </p>
          <Field
            id={`${id}-transcript`}
            label={words.transcript}
            maxLength={1000}
            onChange={(event) => onChange({ transcript: event.target.value })}
            rows={2}
            value={voice.transcript}
          />
        </div>
      )}
    </div>
  );
}

function KnownRecording({ voicePath, onReplace }: { voicePath: string; onReplace(): void }) {
  const player = usePlayer();
  const track = { url: paths.media(voicePath), title: words.trackTitle };
  const isPlaying = player.isPlaying && player.track?.url === track.url;
  return (
    <div className="flex min-h-[44px] flex-wrap items-center gap-3 rounded bg-wash px-4 py-3.5">
      <IconButton
        className="border border-line bg-surface text-ink hover:border-edge"
        label={words.listen}
        onClick={() => (isPlaying ? player.toggle() : player.play(track))}
      >
        <Icon name={isPlaying ? "pause" : "play"} size={18} />
      </IconButton>
      <span className="min-w-0 flex-1">{words.known}</span>
      <Button kind="quiet" onClick={onReplace}>
        {words.other}
      </Button>
    </div>
  );
}

/** Text that the recogniser wrote into the field, with its recording. */
interface Written {
  referenceId: string;
  text: string;
}

/**
 * Writes the words of an uploaded recording into its field, unless the person typed something. Without a recogniser, and
 * if it fails, the field stays as it is. Returns true while the words are being recognised.
 */
function useTranscript(reference: Reference | null, transcript: string, onTranscript: (text: string) => void) {
  const isOffered = useHasCall("transcribe");
  const written = useRef<Written | null>(null);
  const typed = useRef(transcript);
  typed.current = transcript;
  const write = useRef(onTranscript);
  write.current = onTranscript;
  const [isListening, setListening] = useState(false);
  const isUsable = reference !== null && reference.quality?.verdict !== "refused";

  useEffect(() => {
    if (!isOffered || !isUsable || written.current?.referenceId === reference.id) return;
    const isOwn = () => typed.current === "" || typed.current === written.current?.text;
    if (!isOwn()) return;
    const controller = new AbortController();
    setListening(true);
    transcribeSound(reference.sound, reference.name, controller.signal)
      .then(({ text }) => {
        if (controller.signal.aborted || !isOwn()) return;
        written.current = { referenceId: reference.id, text };
        write.current(text);
      })
      .catch(() => {})
      .finally(() => {
        if (!controller.signal.aborted) setListening(false);
      });
    return () => {
      controller.abort();
      setListening(false);
    };
  }, [isOffered, isUsable, reference]);

  return isListening;
}
