import { useState } from "react";
import { toneDialogCopy as words } from "~/copy/dubbing";
import { sentenceFor } from "~/copy/errors";
import { chosenReference, noReferences, ReferencePanel, referenceFault } from "~/features/reference/reference-panel";
import { sendReference } from "~/features/reference/send-reference";
import { plainTone, type Tone } from "~/features/tone/tone";
import { TonePanel } from "~/features/tone/tone-panel";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import type { Delivery } from "./editor/script";

export interface ToneDialogProps {
  name: string;
  delivery: Delivery;
  /** Lines of the same role. */
  alike: number;
  isProfessional: boolean;
  onLocked(): void;
  onPlay(): void;
  onDone(delivery: Delivery, isForAll: boolean): void;
  onClose(): void;
}

/** How one line is spoken, or every line of its role. */
export function ToneDialog(props: ToneDialogProps) {
  const { name, delivery, alike, isProfessional, onLocked, onPlay, onDone, onClose } = props;
  const [tone, setTone] = useState<Tone>(() => toTone(delivery));
  const [references, setReferences] = useState(noReferences);
  const [isForAll, setForAll] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  const done = async () => {
    const emotionPath = await findRecording();
    if (emotionPath === null) return;
    const { speed, pitch, volume, genre, ext } = tone;
    onDone({ speed, pitch, volume, genre, ext: genre === 2 ? ext : undefined, emotionPath }, isForAll);
  };
  /** null when there is none though it is needed; then the fault says why. */
  const findRecording = async (): Promise<string | undefined | null> => {
    if (tone.genre !== 1) return undefined;
    const reference = chosenReference(references);
    if (!reference && delivery.emotionPath) return delivery.emotionPath;
    const problem = referenceFault(references);
    setFault(problem);
    if (problem || !reference) return null;
    setSending(true);
    const sent = await sendReference(reference);
    setSending(false);
    if (sent.ok) return sent.voicePath;
    setFault(sentenceFor(sent.refusal));
    return null;
  };
  return (
    <Dialog closeLabel={words.close} onClose={onClose} title={words.title(name)}>
      <div className="mt-3">
        <TonePanel
          isProfessional={isProfessional}
          onChange={(change) => setTone((now) => ({ ...now, ...change }))}
          onLocked={onLocked}
          reference={
            <ReferencePanel
              onChange={(change) => setReferences((now) => ({ ...now, ...change }))}
              onPlay={onPlay}
              value={references}
            />
          }
          value={tone}
        />
      </div>
      {fault && (
        <p className="mt-2 text-xs text-seal" role="alert">
          {fault}
        </p>
      )}
      {alike > 1 && (
        <label className="mt-2 flex min-h-[44px] cursor-pointer items-center gap-2.5 text-sm">
          <input
            checked={isForAll}
            className="h-4 w-4"
            onChange={(event) => setForAll(event.target.checked)}
            type="checkbox"
          />
          {words.forAll(name, alike)}
        </label>
      )}
      <Button className="mt-3 w-full" kind="primary" onClick={() => void done()} pending={isSending}>
        {isSending ? words.sending : words.done}
      </Button>
    </Dialog>
  );
}

const toTone = ({ speed, pitch = 0, volume = 0, genre, ext = {} }: Delivery): Tone => ({
  ...plainTone,
  speed,
  pitch,
  volume,
  genre,
  ext,
});
